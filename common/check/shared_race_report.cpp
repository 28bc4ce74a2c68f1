// SPDX-License-Identifier: Apache-2.0
// The findings of SharedRace: the facts of two racing accesses, and whether their race is harmless.
#include <algorithm>
#include <string>
#include <utility>

#include "common/check/race_advice.h"
#include "common/check/shared_race.h"

namespace warpgrade::check {

SharedRace::Race SharedRace::race(const Touch& touch, const Entry& before,
                                  std::uint32_t before_lane, std::uint32_t lane,
                                  bool before_writes) const {
  const run::MemoryEvent& event = touch.event;
  Race race;
  race.before = before;
  race.before_lane = before_lane;
  race.before_writes = before_writes;
  race.instruction = event.instruction;
  race.operation = event.operation;
  race.warp = event.warp;
  race.lane = lane;
  race.address = event.address[lane];
  race.bytes = event.bytes;
  race.lacks_fence = order_.intends(before.warp, before_lane, before.stamp, event.warp, lane);
  race.is_unchanged = values_.is_unchanged(touch.offset, touch.bytes);
  race.moment = view_.moment(lane);
  return race;
}

Harmless SharedRace::harmless(const Race& race) const {
  const auto did = !race.before_writes     ? run::Operation::kLoad
                   : race.before.is_update ? run::Operation::kAtomic
                                           : run::Operation::kStore;
  return harmless_race(view_, {race.before.instruction, did, race.is_unchanged},
                       {race.instruction, race.operation, race.is_unchanged},
                       race.before.warp == race.warp);
}

void SharedRace::report(Findings& findings, const Race& race) const {
  // Both orders of two lines are one finding, because one barrier is missing.
  const auto lines = std::minmax(
      {view_.line_number(race.before.instruction), view_.line_number(race.instruction)});
  FindingKey key{base::DiagnosticKind::kRace, lines.first, lines.second};
  key.in_one_warp = race.before.warp == race.warp;
  const auto kind = harmless(race);
  findings.add_race(key, race.moment, kind != Harmless::kNo, [&](bool is_harmless) {
    return diagnostic(race, is_harmless ? kind : Harmless::kNo);
  });
}

void SharedRace::find_lost_updates(const run::MemoryEvent& event) {
  const bool writes = event.operation != run::Operation::kLoad;
  for (auto left = event.mask; left != 0; left &= left - 1) {
    const auto lane = run::lowest_lane(left);
    const Step now{0,
                   event.warp * run::kWarpSize + lane,
                   order_.stamp(event.warp),
                   event.instruction,
                   0,
                   event.operation};
    const auto is_ordered = [&](const Step& before) {
      return order_.unordered(before.thread / run::kWarpSize, 1U << before.thread % run::kWarpSize,
                              before.stamp, event.warp, lane) == 0;
    };
    updates_.access(event.address[lane], now, writes, is_ordered, [&](const auto& found) {
      const auto& write = found.write;
      const auto lines = std::minmax(
          {view_.line_number(found.read.instruction), view_.line_number(write.instruction)});
      const auto moment = view_.moment(lane);
      FindingKey key{base::DiagnosticKind::kRace, lines.first, lines.second};
      findings_.add_race(key, moment, false, [&](bool /*is_harmless*/) {
        base::Race facts;
        facts.place = view_.shared_place(event.address[lane], event.bytes, event.warp);
        facts.does = does(write.operation);
        if (view_.line_number(found.other.instruction) != view_.line_number(write.instruction)) {
          facts.other_line = view_.line(found.other.instruction, write.instruction);
        }
        facts.advice = view_.advice_for(found.read.instruction, write.instruction);
        auto out = view_.diagnostic(base::DiagnosticKind::kRace, write.instruction, moment.block,
                                    write.thread / run::kWarpSize, write.thread % run::kWarpSize,
                                    std::move(facts));
        out.related = {view_.related(
            found.other.instruction, moment.block, found.other.thread / run::kWarpSize,
            found.other.thread % run::kWarpSize, does(found.other.operation))};
        return out;
      });
    });
  }
}

base::Diagnostic SharedRace::diagnostic(const Race& race, Harmless kind) const {
  const Entry& before = race.before;
  const bool is_load = race.operation == run::Operation::kLoad;
  const auto did = !race.before_writes ? base::Does::kRead
                   : before.is_update  ? base::Does::kAtomicUpdate
                                       : base::Does::kWrite;
  base::Race facts;
  facts.place = view_.shared_place(race.address, race.bytes, race.warp);
  facts.does = does(race.operation);
  if (view_.line_number(before.instruction) != view_.line_number(race.instruction)) {
    facts.other_line = view_.line(before.instruction, race.instruction);
  }
  if (kind != Harmless::kNo) {
    const auto word = is_load ? before.instruction : race.instruction;
    facts.advice = base::HarmlessAdvice{kind, std::string(view_.type_text(word)), false};
  } else if (race.lacks_fence) {
    facts.advice =
        base::FenceAdvice{view_.line(before.instruction, race.instruction),
                          view_.line(race.instruction, race.instruction),
                          view_.rank_of_warp(before.warp) != view_.rank_of_warp(race.warp)};
  } else {
    const bool both_write = !is_load && race.before_writes;
    auto advice = race_advice(
        view_, {before.instruction, race.instruction, both_write, before.warp == race.warp,
                view_.rank_of_warp(before.warp) != view_.rank_of_warp(race.warp)});
    advice.has_flags = order_.has_flags();
    facts.advice = std::move(advice);
    const auto update = view_.update_advice(before.instruction, race.instruction);
    if (update) facts.advice = *update;
  }
  auto out = view_.diagnostic(base::DiagnosticKind::kRace, race.instruction, race.moment.block,
                              race.warp, race.lane, std::move(facts));
  out.severity = kind == Harmless::kNo ? base::Severity::kError : base::Severity::kWarning;
  out.related = {
      view_.related(before.instruction, race.moment.block, before.warp, race.before_lane, did)};
  return out;
}

}  // namespace warpgrade::check
