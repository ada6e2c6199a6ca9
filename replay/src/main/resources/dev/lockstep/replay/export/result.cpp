// SPDX-License-Identifier: Apache-2.0
// Writes the same result as `lockstep replay run`.
#include "replay.hpp"

#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <map>
#include <sstream>

namespace {

std::string quoted(const std::string& text) {
  std::ostringstream out;
  out << '"';
  for (unsigned char c : text) {
    if (c == '"' || c == '\\') out << '\\' << c;
    else if (c < 0x20) out << "\\u" << std::hex << std::setw(4) << std::setfill('0') << int(c) << std::dec;
    else out << c;
  }
  out << '"';
  return out.str();
}

void write_figures(std::ostream& out, const char* name, const Figures& f) {
  if (f.runs == 0) return;
  out << ", \"" << name << "\": {\"runs\": " << f.runs << ", \"median_ns\": " << f.median << ", \"min_ns\": " << f.least
      << ", \"p10_ns\": " << f.p10 << ", \"p90_ns\": " << f.p90 << ", \"mad_ns\": " << f.mad << ", \"noisy\": "
      << (double(f.p90) > 1.5 * double(f.median) ? "true" : "false") << "}";
}

int64_t weight(const Operator& op) {
  std::string basis = TIME_BASIS;
  return std::max<int64_t>(0, basis == "device" ? op.device_ns : basis == "cpu" ? op.cpu_ns : 0);
}

struct Missing {
  std::string reason = {};
  int64_t calls = 0, ns = 0;
  std::map<std::string, int64_t> names = {};
};

struct Coverage {
  int64_t calls = 0, inside = 0, covered = 0, ns = 0, ns_covered = 0;
  std::vector<Missing> gaps = {};  // most calls first
};

Coverage coverage(const std::vector<Operator>& ops, const std::vector<Result>& results) {
  Coverage all;
  std::map<std::string, Missing> gaps;
  for (size_t i = 0; i < ops.size(); i++) {
    int64_t count = ops[i].calls + ops[i].inside;
    bool ran = results[i].gap.empty();
    all.calls += count;
    all.inside += ops[i].inside;
    all.ns += weight(ops[i]);
    all.covered += ran ? count : 0;
    all.ns_covered += ran ? weight(ops[i]) : 0;
    if (ran) continue;
    Missing& gap = gaps[results[i].gap];
    gap.reason = results[i].gap;
    gap.calls += count;
    gap.ns += weight(ops[i]);
    gap.names[ops[i].call.name] += ops[i].calls;
  }
  for (auto& gap : gaps) all.gaps.push_back(std::move(gap.second));
  std::stable_sort(all.gaps.begin(), all.gaps.end(), [](const Missing& a, const Missing& b) { return a.calls > b.calls; });
  return all;
}

std::string percent(int64_t part, int64_t whole) {
  if (whole == 0) return "null";
  std::ostringstream out;
  out << std::setprecision(15) << 100.0 * double(part) / double(whole);
  return out.str();
}

void write_coverage(std::ostream& out, const Coverage& all) {
  out << "\"coverage\": {\"calls_percent\": " << percent(all.covered, all.calls) << ", \"time_percent\": "
      << percent(all.ns_covered, all.ns) << ", \"calls\": " << all.calls << ", \"calls_inside\": " << all.inside << ", \"calls_covered\": " << all.covered
      << ", \"time_ns\": " << all.ns << ", \"time_covered_ns\": " << all.ns_covered << ", \"gaps\": [";
  const char* comma = "";
  for (const Missing& gap : all.gaps) {
    out << comma << "\n{\"reason\": " << quoted(gap.reason) << ", \"meaning\": " << quoted(meaning(gap.reason)) << ", \"calls\": "
        << gap.calls << ", \"time_ns\": " << gap.ns << ", \"operators\": {";
    comma = "";
    for (const auto& name : gap.names) {
      out << comma << quoted(name.first) << ": " << name.second;
      comma = ", ";
    }
    out << "}}";
    comma = ",";
  }
  out << "]},\n";
}

void write_operator(std::ostream& out, size_t id, const Operator& op, const Result& r, int64_t total) {
  out << "{\"id\": " << id << ", \"name\": " << quoted(op.call.name) << ", " << op.inputs << ", \"status\": \""
      << (!r.gap.empty() ? "not-run" : r.substitution.empty() ? "ran" : "substituted") << "\"";
  if (!r.gap.empty()) out << ", \"reason\": " << quoted(r.gap);
  if (!r.detail.empty()) out << ", \"detail\": " << quoted(r.detail);
  if (!r.schema.empty()) out << ", \"schema\": " << quoted(r.schema);
  if (!r.substitution.empty()) out << ", \"substitution\": " << quoted(r.substitution);
  if (r.gap.empty()) {
    out << ", \"warmups\": " << r.warmups << ", \"executed\": " << r.executed;
    if (r.device.runs > 0) out << ", \"queued\": " << r.queued;
    write_figures(out, "host", r.host);
    write_figures(out, "device", r.device);
    out << ", \"window\": {\"start_ns\": " << r.start_ns << ", \"end_ns\": " << r.end_ns << "}";
  }
  out << ", \"calls\": " << op.calls;
  if (op.calls_per_step >= 0) out << ", \"calls_per_step\": " << std::setprecision(17) << op.calls_per_step;
  if (r.gap.empty()) out << ", \"total_ns\": " << total;
  if (op.cpu_ns >= 0) out << ", \"recorded_cpu_ns\": " << op.cpu_ns;
  if (op.device_ns >= 0) out << ", \"recorded_device_ns\": " << op.device_ns;
  out << "}";
}

}  // namespace

void write(std::ostream& out, const std::vector<Operator>& ops, const std::vector<Result>& results, const Settings& settings,
           const Facts& facts) {
  out << "{\"format\": \"lockstep-replay-result\", \"version\": 1,\n\"environment\": {";
  for (const auto& fact : facts) out << quoted(fact.first) << ": " << quoted(fact.second) << ", ";
  out << "\"threads\": \"" << settings.threads << "\", \"cache\": \""
      << (settings.flush ? "flushed before each execution" : "as the execution before left it") << "\"},\n\"steps\": " << STEPS
      << ",\n\"steps_source\": " << quoted(STEPS_SOURCE) << ",\n";
  write_coverage(out, coverage(ops, results));
  int64_t replayed = 0, cpu = 0, device = 0;
  std::ostringstream lines;
  for (size_t i = 0; i < ops.size(); i++) {
    const Result& r = results[i];
    int64_t total = r.gap.empty() ? (r.device.runs > 0 ? r.device : r.host).median * ops[i].calls : 0;
    replayed += total;
    cpu += r.gap.empty() ? std::max<int64_t>(0, ops[i].cpu_ns) : 0;
    device += r.gap.empty() ? std::max<int64_t>(0, ops[i].device_ns) : 0;
    lines << (i ? ",\n" : "\n");
    write_operator(lines, i, ops[i], r, total);
  }
  out << "\"sums\": {\"replayed_ns\": " << replayed << ", \"recorded_cpu_ns\": " << cpu << ", \"recorded_device_ns\": " << device
      << "},\n\"operators\": [" << lines.str() << "\n]}\n";
}

void summarize(std::ostream& out, const std::vector<Operator>& ops, const std::vector<Result>& results) {
  Coverage all = coverage(ops, results);
  if (all.calls == 0) out << "no calls\n";
  else out << std::fixed << std::setprecision(2) << 100.0 * double(all.covered) / double(all.calls)
           << " % of the calls were replayed\n";
  for (const Missing& gap : all.gaps) out << "  not: " << gap.calls << " calls: " << meaning(gap.reason) << "\n";
}
