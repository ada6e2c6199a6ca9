// SPDX-License-Identifier: Apache-2.0
// Stands in for libtorch: some operators crash, some hang, some run.
#include "replay.hpp"

#include <cstdlib>
#include <unistd.h>

bool has_device(const Settings& settings) { return settings.device == "cpu"; }

// What is queued before calls goes by what they took.
static bool queues() {
  QueuedWork before;
  bool right = before.ns() == 0;
  before.wanted = true;
  before.called(900000000, 0, false);
  right = right && before.ns() == 20000000;
  before.called(5000, 20000000, true);
  right = right && before.ns() == 50000 && before.queued() == 1;
  before.called(80000, 50000, false);
  return right && before.ns() == 0 && before.queued() == 1;
}

Facts facts(const Settings&) { return {{"framework", "none"}}; }

Result run(const Operator& op, const Settings&) {
  if (op.call.name == "aten::abs") std::abort();
  if (op.call.name == "aten::neg") sleep(60);
  if (!queues()) std::abort();
  Result result;
  if (op.call.name == "aten::fill") result.detail = std::to_string(op.call.arguments.at(0).i);
  result.schema = "text with\nlines";
  Samples samples;
  for (int64_t sample : {30, 10, 20}) samples.add(sample);
  for (int64_t i = 3; op.call.name == "aten::fill" && i < 20000; i++) samples.add(i == 19999 ? 7 : 40);
  result.executed = samples.seen();
  result.host = samples.figures();
  if (op.call.name == "aten::relu") {
    result.device = result.host;
    result.queued = 2;
  }
  result.start_ns = 5;
  result.end_ns = 6;
  return result;
}
