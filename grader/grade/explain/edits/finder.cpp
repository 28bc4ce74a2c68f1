// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/edits/finder.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace warpgrade::grader::grade {
namespace program_edits {

std::vector<Edit> Finder::run() {
  find_sites();
  find_strides();
  for (const auto& [place, sites] : sites_) {
    const auto first = sites.front();
    const auto& function = module_.functions[first.function];
    const auto& in = function.instructions[first.instruction];
    now_ = &sites;
    line_ = std::get<0>(place);
    of_ = uses_.uses_of(first.function, first.instruction);
    comparison(in);
    constants(in);
    operators(in);
    layout(in);
    lengths(in);
    factors(in);
    scales(in);
    terms(first, in);
    fixed(in);
    halves(in);
    steps(in);
    additions(in);
    offsets(in);
    special(in);
    variables(first, in);
    rounding(in);
    sign(in);
    start(first, in);
    start_of_fragment(first, in);
    start_in_memory(first);
    guards(first, in);
    branch(first, in);
  }
  comparisons_of_lines();
  exchanges();
  orders();
  functions_of_toolkit();
  float_indices();
  changes_of_lines();
  return std::move(out_);
}

// The same change in two or three lines that are alike: both sides have the same mistake.
void Finder::changes_of_lines() {
  constexpr std::size_t kMostLines = 3;
  using Key = std::tuple<std::string, Opcode, Type, std::uint32_t>;
  std::map<Key, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < out_.size(); ++i) {
    const auto& edit = out_[i];
    const bool has_names = edit.kind == EditKind::kVariable || edit.kind == EditKind::kOperator ||
                           edit.kind == EditKind::kExchange || edit.kind == EditKind::kLayout;
    const bool is_value = edit.kind == EditKind::kConstant || edit.kind == EditKind::kOffset ||
                          edit.kind == EditKind::kBits;
    if (!has_names && !is_value) continue;
    const auto [f, at] = edit.sites.front();
    const auto& in = module_.functions[f].instructions[at];
    const bool is_of_any = is_value || edit.text.find('%') == std::string::npos;
    alike[{edit.text, in.opcode, type_of(in), is_of_any ? 0 : f}].push_back(i);
  }
  for (const auto& [key, edits] : alike) {
    if (edits.size() < 2 || edits.size() > kMostLines) continue;
    auto both = out_[edits.front()];
    std::set<std::uint32_t> lines;
    for (const auto i : edits) {
      lines.insert(out_[i].line);
      if (i != edits.front()) {
        both.sites.insert(both.sites.end(), out_[i].sites.begin(), out_[i].sites.end());
      }
    }
    if (lines.size() != edits.size()) continue;
    std::ranges::sort(both.sites);
    both.rank =
        both.rank == Rank::kTogether ? Rank::kOperator : std::max(both.rank, Rank::kOperator);
    both.text += " in several lines";
    out_.push_back(std::move(both));
  }
  std::erase_if(out_, [](const Edit& edit) { return edit.rank == Rank::kTogether; });
}

// The numbers that other values are multiplied by in addresses.
void Finder::find_strides() {
  for (const auto& [place, sites] : sites_) {
    const auto first = sites.front();
    const auto& in = module_.functions[first.function].instructions[first.instruction];
    if ((in.opcode != Opcode::mul && in.opcode != Opcode::mad) || is_scaling(in)) continue;
    now_ = &sites;
    of_ = uses_.uses_of(first.function, first.instruction);
    for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
      const auto& operand = in.operands[k];
      if (operand.kind != Operand::Kind::kImmediate || !is_stride(in, k)) continue;
      const auto value = static_cast<std::int64_t>(operand.bits);
      if (value > 1) strides_.insert(value);
    }
  }
  constexpr std::size_t kMostStrides = 6;
  if (strides_.size() > kMostStrides) strides_.clear();
  for (const auto length : other_lengths()) {
    if (strides_.size() < kMostStrides) strides_.insert(length);
  }
}

// Numbers that divide indices into rows and columns, and lengths that functions get.
std::set<std::int64_t> Finder::other_lengths() {
  std::set<std::int64_t> out;
  for (const auto& [place, sites] : sites_) {
    const auto first = sites.front();
    const auto& in = module_.functions[first.function].instructions[first.instruction];
    now_ = &sites;
    of_ = uses_.uses_of(first.function, first.instruction);
    const bool is_division = (in.opcode == Opcode::div || in.opcode == Opcode::rem) &&
                             is_integer(type_of(in)) && of_.address;
    if (!is_division && !(is_argument(in) && is_stride(in, 1))) continue;
    const auto& operand = in.operands[is_division ? 2 : 1];
    const auto value = static_cast<std::int64_t>(operand.bits);
    if (operand.kind == Operand::Kind::kImmediate && value > 1) out.insert(value);
  }
  return out;
}

// Instances of a template have the same instructions in a line.
void Finder::find_sites() {
  for (std::uint32_t f = 0; f < module_.functions.size(); ++f) {
    const auto& function = module_.functions[f];
    std::map<std::uint32_t, std::uint32_t> count;
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      const auto& in = function.instructions[i];
      if (!is_own(function, in)) continue;
      const auto line = line_of(function, in);
      sites_[{line, count[line]++, in.opcode}].push_back({f, i});
    }
  }
  std::erase_if(sites_, [&](const auto& one) {
    return std::ranges::none_of(one.second, [&](const Edit::Site& site) {
      return is_executed_(site.function, site.instruction);
    });
  });
  for (auto& [place, sites] : sites_) {
    std::stable_partition(sites.begin(), sites.end(), [&](const Edit::Site& site) {
      return is_executed_(site.function, site.instruction);
    });
  }
}

bool Finder::is_own(const Function& function, const Instruction& in) const {
  return in.location != 0 && !in.is_of_toolkit && function.locations[in.location].line != 0 &&
         function.locations[in.location].file == file_;
}

// The instruction that alone writes the value, through copies; nullptr if there are several.
const Instruction* Finder::origin(const Operand& operand) {
  constexpr int kMostCopies = 4;
  const auto* writer = only_writer(now_->front().function, operand);
  for (int i = 0; i < kMostCopies && writer != nullptr && writer->opcode == Opcode::mov &&
                  writer->operands[1].kind == Operand::Kind::kRegister;
       ++i) {
    writer = only_writer(now_->front().function, writer->operands[1]);
  }
  return writer;
}

bool Finder::is_quotient(const Operand& operand) {
  const auto* writer = origin(operand);
  return writer != nullptr && (writer->opcode == Opcode::div || writer->opcode == Opcode::shr);
}

bool Finder::is_constant(const Operand& operand) {
  const auto* writer = origin(operand);
  return writer != nullptr && writer->opcode == Opcode::mov &&
         writer->operands[1].kind == Operand::Kind::kImmediate;
}

bool Finder::is_shared_constant(const Operand& operand) {
  const auto& all = variables_of(now_->front().function);
  return operand.kind == Operand::Kind::kRegister && is_constant(operand) &&
         std::ranges::any_of(all, [&](const Variable& one) {
           return one.is_shared && one.number == operand.index;
         });
}

bool Finder::is_scaling(const Instruction& in) {
  return (in.opcode == Opcode::shl || in.opcode == Opcode::mul || in.opcode == Opcode::mad) &&
         ptx::size_of(type_of(in)) == 8 && !in.modifiers.has(Modifier::wide);
}

// Whether the instruction stores an argument of a call.
bool Finder::is_argument(const Instruction& in) const {
  return is_argument_of(module_.functions[now_->front().function], in);
}

bool Finder::is_argument_of(const Function& function, const Instruction& in) {
  return in.opcode == Opcode::st && is_parameter(function, in.operands[0]);
}

// Whether operand `k` is a length in an index: a size that another value is multiplied by.
bool Finder::is_stride(const Instruction& in, std::size_t k) const {
  const auto f = now_->front().function;
  if (is_argument(in)) {
    // An index that a function gets can be small.
    constexpr std::uint64_t kLeastLength = 8;
    return of_.address && of_.row && in.operands[k].kind == Operand::Kind::kImmediate &&
           in.operands[k].bits >= kLeastLength;
  }
  if (!of_.address || !uses_.is_size(f, in.operands[k])) return false;
  const bool is_sum = in.opcode == Opcode::add || in.opcode == Opcode::sub;
  if (of_.row && !is_sum && uses_.is_size(f, in.operands[0])) return true;
  if (in.opcode != Opcode::mul && in.opcode != Opcode::mad) return false;
  // A size times a size is the length of a plane.
  const auto& other = in.operands[k == 1 ? 2 : 1];
  return !uses_.is_size(f, other) || other.kind == Operand::Kind::kRegister;
}

// The instruction that alone writes the register; nullptr if there are several.
const Instruction* Finder::only_writer(std::uint32_t f, const Operand& operand) {
  if (operand.kind != Operand::Kind::kRegister) return nullptr;
  auto [found, is_new] = writers_.try_emplace(f);
  auto& writers = found->second;
  if (is_new) {
    const auto& function = module_.functions[f];
    writers.resize(function.registers.size());
    std::vector<bool> written(function.registers.size());
    for (const auto& in : function.instructions) {
      ptx::for_each_written(in, [&](std::uint32_t number) {
        writers[number] = written[number] ? nullptr : &in;
        written[number] = true;
      });
    }
  }
  return writers[operand.index];
}

const std::vector<Variable>& Finder::variables_of(std::uint32_t f) {
  const auto found = known_.find(f);
  if (found != known_.end()) return found->second;
  auto& out = known_[f];
  const auto& function = module_.functions[f];
  std::vector<std::uint32_t> count(function.registers.size());
  std::vector<std::uint32_t> readers(function.registers.size());
  std::vector<std::uint32_t> reader(function.registers.size());  // The line of the last one.
  for (const auto& in : function.instructions) {
    ptx::for_each_written(in, [&](std::uint32_t number) { ++count[number]; });
    ptx::for_each_read(in, [&](std::uint32_t number) {
      ++readers[number];
      reader[number] = line_of(function, in);
    });
  }
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const auto& in = function.instructions[i];
    if (ptx::results(in) != 1 || in.operands[0].kind != Operand::Kind::kRegister) continue;
    const auto number = in.operands[0].index;
    if (count[number] != 1) continue;
    const bool is_parameter = in.opcode == Opcode::ld && in.space == ptx::StateSpace::kParam;
    // A value that several instructions use, or another line, is probably a variable.
    const bool is_shared = is_parameter || readers[number] > 1;
    if (!is_shared && reader[number] <= line_of(function, in)) continue;
    out.push_back({number, i, is_parameter, is_shared});
  }
  return out;
}

// The parameters whose type is one of a kind.
std::vector<std::uint32_t> Finder::parameters_of(std::uint32_t f, bool (*has_type)(Type)) {
  std::vector<std::uint32_t> out;
  for (const auto& variable : variables_of(f)) {
    const auto type = module_.functions[f].registers[variable.number].type;
    if (variable.is_parameter && has_type(type)) out.push_back(variable.number);
  }
  return out;
}

// Whether the register has the value of a parameter of the function.
bool Finder::is_parameter_value(const Operand& operand) {
  const auto* writer = origin(operand);
  return writer != nullptr && writer->opcode == Opcode::ld &&
         writer->space == ptx::StateSpace::kParam;
}

// Whether something is added to the register, or to a copy of it.
bool Finder::is_added_to(std::uint32_t f, std::uint32_t number) const {
  std::set<std::uint32_t> copies = {number};
  for (const auto& in : module_.functions[f].instructions) {
    bool is_read = false;
    ptx::for_each_read(in, [&](std::uint32_t one) { is_read |= copies.contains(one); });
    if (!is_read) continue;
    if (in.opcode == Opcode::add || in.opcode == Opcode::fma || in.opcode == Opcode::mad) {
      return true;
    }
    if (in.opcode == Opcode::mov) {
      ptx::for_each_written(in, [&](std::uint32_t one) { copies.insert(one); });
    }
  }
  return false;
}

}  // namespace program_edits

std::vector<Edit> edits_of(const ptx::Module& module, std::string_view file,
                           const IsExecuted& is_executed) {
  auto out = program_edits::Finder(module, file, is_executed).run();
  std::ranges::stable_sort(out, {}, &Edit::rank);
  return out;
}

}  // namespace warpgrade::grader::grade
