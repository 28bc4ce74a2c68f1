// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/grading_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/compile/compiler.h"
#include "common/device/profile.h"
#include "common/gpu/device_info.h"
#include "common/gpu/gpu_runner.h"
#include "common/gpu/platform.h"
#include "common/gpu/timed_memory.h"
#include "common/measure/baselines.h"
#include "common/measure/card_profile.h"
#include "common/measure/gpu_bench.h"
#include "common/measure/sim_bench.h"
#include "grader/cases/reference.h"
#include "grader/course/course.h"
#include "grader/grade/grading.h"
#include "grader/grade/plan/gpu_calibration.h"
#include "grader/grade/time/copy_times.h"
#include "grader/grade/time/course_on_card.h"
#include "grader/report/report.h"
#include "grader/text/files.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::grade {
namespace {

// The reference may use every feature that a student may, so it is compiled for the newest device.
// The simulator needs no machine code, which would cost a third of the compilation.
constexpr const char* kReferenceArchitecture = "compute_90";

// While one case is prepared or compared, another executes on the other cores. More would use more
// memory, and each launch uses all cores anyway.
constexpr unsigned kCasesAtOnce = 2;

// Returns nullptr if no GPU is wanted, or if none exists and `backend` does not require it.
std::unique_ptr<gpu::GpuRunner> open_gpu(std::optional<run::Backend> backend,
                                         std::optional<int> gpu) {
  if (backend == run::Backend::kSim) return nullptr;
  try {
    return gpu::open_gpu(base::for_caller("--backend gpu", "backend='gpu'") + ": no GPU to run on",
                         gpu);
  } catch (const base::ToolError&) {
    if (backend == run::Backend::kGpu) throw;
    return nullptr;
  }
}

}  // namespace

std::filesystem::path compiled_folder() {
  const auto folder = text::cache_folder();
  return folder.is_absolute() ? folder / "compiled" : std::filesystem::path();
}

GradingSession::GradingSession(std::optional<run::Backend> backend, const std::string& device,
                               std::uint64_t seed, std::optional<GpuCalibration> calibration,
                               std::optional<int> gpu)
    : device_(device),
      seed_(seed),
      compilations_(compile::compile, std::thread::hardware_concurrency()),
      own_compilations_(compile::compile_own, std::thread::hardware_concurrency()),
      calibration_(std::move(calibration)) {
  if (!device.empty() && device != measure::kUnknownCard) device::find(device);
  sim_reference_ = std::make_unique<cases::Reference>(cases::simulate, kReferenceArchitecture,
                                                      own_compilations_, seed);
  open_card(backend, gpu);
  if (!gpu_ && device == measure::kUnknownCard) {
    throw base::UsageError(fmt::format("--device {} is the GPU of this machine, which is not asked",
                                       measure::kUnknownCard));
  }
  copy_times_ = stored_copy_times();  // The driver may limit the compiler.
  services_ = make_services();
  if (!services_.gpu) return;
  course_on_card_ =
      std::make_unique<CourseOnCard>(services_, card_ + ' ' + driver_, stored_course_values);
  services_.gpu->course_values = [this](const GradingTask& task) {
    return course_on_card_->of(task);
  };
}

// Opens no GPU if none is wanted, or if none is usable and `backend` does not require it.
void GradingSession::open_card(std::optional<run::Backend> backend, std::optional<int> gpu) {
  auto runner = open_gpu(backend, gpu);
  if (!runner) return;
  driver_ = gpu::driver_version(gpu::load_nvml());
  if (!calibration_) calibration_ = read_calibration(calibration_file(runner->device(), driver_));
  const auto architecture = runner->architecture();
  measure::GpuBenchOptions bench;
  bench.floor = noise_floor(calibration_);
  card_remarks_ = gpu::remarks(runner->info());
  const auto card = runner->info().name;
  gpu_runner_ = runner->twin();
  try {
    gpu_ = measure::gpu_bench(std::move(runner), bench);
  } catch (const base::ToolError&) {
    if (backend == run::Backend::kGpu) throw;
    return;
  }
  card_ = card;
  gpu_reference_ = std::make_unique<cases::Reference>(cases::in_turn_on(*gpu_runner_), architecture,
                                                      own_compilations_, seed_);
}

GradingSession::~GradingSession() = default;

measure::SimBench& GradingSession::sim(const std::string& device) {
  auto& bench = sims_[device];
  if (!bench) bench = measure::sim_bench(device::find(device), copy_times_.of(device));
  return *bench;
}

std::vector<std::string> GradingSession::notes() const {
  const auto& profile = gpu_->profile();
  const bool is_known = profile.name != measure::kUnknownCard;
  std::vector<std::string> out = {
      fmt::format("On the GPU, {}: right results, and the gates on speed. Counters and checks such "
                  "as races are simulated, on the devices that gates name.",
                  is_known ? std::string(profile.name)
                           : fmt::format("{} ({}, {} multiprocessors, no profile)", profile.product,
                                         profile.architecture, profile.sm.count))};
  out.insert(out.end(), card_remarks_.begin(), card_remarks_.end());
  if (calibration_) {
    out.push_back(
        fmt::format("Intervals are {:.2g} % wider on each side for differences between "
                    "processes, as calibrated on this machine on {}.",
                    100 * noise_floor(calibration_), calibration_->date));
  } else {
    out.push_back(
        fmt::format("This machine is not calibrated: intervals are {:.2g} % wider on each "
                    "side, a guess. `{} calibrate` measures it.",
                    100 * noise_floor(calibration_), base::program_call()));
  }
  return out;
}

GradingServices GradingSession::make_services() {
  GradingServices out;
  out.compilations = &compilations_;
  out.simulator.bench = [this](const std::string& device) -> measure::SimBench& {
    return sim(device);
  };
  out.simulator.reference = sim_reference_.get();
  out.simulator.cases_at_once = kCasesAtOnce;
  profiled_launches_ = std::make_unique<ProfiledLaunches>(out.simulator.bench, own_compilations_);
  out.launch_facts = [this](const course::Lab& lab, const course::AskedLaunch& launch,
                            const std::string& device) -> const course::LaunchFacts& {
    return profiled_launches_->of(lab, launch, device);
  };
  out.seed = seed_;
  if (!gpu_) return out;
  auto& gpu = out.gpu.emplace();
  gpu.bench = gpu_.get();
  gpu.reference = gpu_reference_.get();
  gpu.calibration = calibration_ ? &*calibration_ : nullptr;
  gpu.timed_variant = [] {  // Inputs that no submission can contain, for any seed.
    std::random_device source;
    return std::uniform_int_distribution<std::uint64_t>()(source);
  };
  return out;
}

void GradingSession::warm(const course::Lab& lab, const course::Exercise& exercise) {
  rest_card();
  const auto* kernel = exercise.kernel();
  if (kernel == nullptr) {
    warm_answers(lab, std::get<course::QuestionsExercise>(exercise.form));
    return;
  }
  sim_reference_->compile(lab);
  for (const auto& device : kernel->devices()) sim(device);
  for (const auto& gate : kernel->gates) {
    if (!gate.is_performance()) continue;
    measure::copy_program(std::string(device::find(gate.device).architecture));
  }
  const auto targets = targets_of(*kernel, device_, services_.simulator.bench, gpu_.get());
  const auto plan = plan_gates(*kernel, lab.id + "/" + exercise.id, targets,
                               calibration_ ? &*calibration_ : nullptr, device_);
  copies_ahead_.predict(*kernel, targets, plan);
  keep_copies();
  if (gpu_) warm_card(lab, *kernel);
  own_compilations_.rest();
}

void GradingSession::warm_answers(const course::Lab& lab,
                                  const course::QuestionsExercise& exercise) {
  try {
    for (const auto& question : exercise.questions) {
      const auto* profile = std::get_if<course::LaunchProfile>(&question.rule);
      if (profile == nullptr) continue;
      profiled_launches_->of(lab, exercise.launch_of(profile->kernel), question.device);
    }
  } catch (const base::ToolError&) {  // Each grade reports it.
  }
  own_compilations_.rest();
}

void GradingSession::warm_card(const course::Lab& lab, const course::KernelExercise& exercise) {
  const std::string architecture(gpu_->profile().architecture);
  gpu_reference_->compile(lab);
  gpu::fingerprint_program(architecture);
  measure::copy_program(architecture);
  if (exercise.operations) measure::peak_program(architecture, exercise.arithmetic);
}

void GradingSession::rest_card() {
  if (!gpu_) return;
  gpu_->rest();
  gpu_runner_->rest();
}

void GradingSession::work_out_results(const course::Lab& lab, const course::Exercise& exercise) {
  const auto* kernel = exercise.kernel();
  if (kernel == nullptr) return;
  try {
    for (const auto& item : kernel->cases) {
      if (item.measured || item.sampled) continue;
      const auto sized = cases::size_case(exercise, item.name, item.variables);
      sim_reference_->expected(lab, sized);
      if (gpu_) gpu_reference_->expected(lab, sized);
    }
  } catch (const base::ToolError&) {  // Each grade that gets this far reports it.
  }
  rest_card();
}

void GradingSession::keep_copies() {
  std::map<std::string, CopySeconds> copies;
  for (const auto& [device, bench] : sims_) copies[device] = bench->copies();
  copy_times_.keep(copies);
}

CardFacts GradingSession::card_facts(const course::Course& course) {
  CardFacts out{card_, driver_, calibration_ ? to_json(*calibration_) : std::string(), {}};
  for (const auto& one : select(course, {})) {
    if (!course_on_card_->is_needed(*one.lab, *one.exercise, services_.gpu->calibration)) continue;
    out.course[one.lab->id + "/" + one.exercise->id] =
        course_on_card_->of({one.lab, one.exercise, {}});
  }
  return out;
}

void GradingSession::use(const CardFacts& facts) { course_on_card_->use(facts.course); }

report::Report GradingSession::grade(const std::vector<GradingTask>& tasks, bool counters,
                                     bool pictures,
                                     const std::function<void(const GradingProgress&)>& progress) {
  GradingProgress now;
  now.all = tasks.size();
  auto services = services_;
  services.pictures = pictures;
  if (services.gpu) services.gpu->counters = counters;
  if (progress) {
    services.on_case = [&](const std::string& case_name) {
      now.case_name = case_name;
      progress(now);
    };
  }
  std::vector<Grading> gradings;
  std::set<const course::Lab*> labs;
  for (const auto& item : tasks) {
    const bool is_kernel = item.exercise->kernel() != nullptr;
    if (is_kernel && labs.insert(item.lab).second) sim_reference_->prepare(*item.lab);
    gradings.emplace_back(services, item, device_);
  }
  report::Report report;
  report.backend = gpu_ ? run::Backend::kGpu : run::Backend::kSim;
  report.seed = seed_;
  for (; now.done < tasks.size(); ++now.done) {
    const auto& item = tasks[now.done];
    now.exercise = item.lab->id + "/" + item.exercise->id;
    now.case_name.clear();
    if (progress) progress(now);
    report.exercises.push_back(gradings[now.done].grade());
  }
  keep_copies();

  std::vector<std::string> devices;
  for (const auto& item : tasks) {
    for (const auto& name : item.exercise->devices()) {
      if (std::find(devices.begin(), devices.end(), name) == devices.end()) devices.push_back(name);
    }
  }
  if (!device_.empty()) devices = {device_};
  if (gpu_ && device_.empty() && gpu_->profile().name == measure::kUnknownCard) {
    devices.insert(devices.begin(), measure::kUnknownCard);
  }
  for (const auto& name : devices) report.device += (report.device.empty() ? "" : ", ") + name;
  if (gpu_) report.notes = notes();
  if (counters && !gpu_) {
    report.notes.push_back(fmt::format("No counters of the card: {}", gpu::availability().reason));
  }
  return report;
}

GradingTask file_task(const course::Course& course, const course::Selected& selected,
                      const std::filesystem::path& file) {
  return {selected.lab, selected.exercise, cases::read_submission(file, shown_path(course, file))};
}

GradingTask folder_task(const course::Course& course, const course::Selected& selected,
                        const std::filesystem::path& folder, const std::filesystem::path& file) {
  const auto name = selected.exercise->file_name();
  return {selected.lab, selected.exercise,
          cases::read_folder(
              folder, file, {name, selected.lab->id + "/" + name},
              [&](const auto& path) { return shown_path(course, path.lexically_normal()); })};
}

GradingTask student_task(const course::Course& course, const course::Selected& selected) {
  return file_task(course, selected, selected.lab->folder / selected.exercise->file_name());
}

GradingTask solution_task(const course::Course& course, const course::Selected& selected) {
  const auto file = course.root / "solutions" / selected.lab->id / selected.exercise->file_name();
  return file_task(course, selected, file);
}

}  // namespace warpgrade::grader::grade
