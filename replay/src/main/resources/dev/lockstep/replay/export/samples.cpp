// SPDX-License-Identifier: Apache-2.0
// Figures of many executions in little memory, and when executions must end.
#include "replay.hpp"

#include <algorithm>
#include <cstdlib>
#include <random>

namespace {

using Clock = std::chrono::steady_clock;

constexpr double SHARE = 0.75, AT_LAST = 0.9;

int64_t quantile(const std::vector<int64_t>& sorted, size_t percent) {
  size_t at = (sorted.size() * percent + 99) / 100;
  return sorted[at == 0 ? 0 : at - 1];
}

int64_t since(Clock::time_point when) { return (Clock::now() - when) / std::chrono::nanoseconds(1); }

}  // namespace

void Samples::add(int64_t ns) {
  least_ = seen_ == 0 ? ns : std::min(least_, ns);
  uint64_t place = uint64_t(seen_++);
  if (place < MOST) {
    kept_.push_back(ns);
    return;
  }
  place = random_() % uint64_t(seen_);
  if (place < MOST) kept_[place] = ns;
}

Figures Samples::figures() const {
  Figures made;
  if (kept_.empty()) return made;
  std::vector<int64_t> sorted = kept_, distances;
  std::sort(sorted.begin(), sorted.end());
  made.runs = int64_t(sorted.size());
  made.median = quantile(sorted, 50);
  made.least = least_;
  made.p10 = quantile(sorted, 10);
  made.p90 = quantile(sorted, 90);
  for (int64_t s : sorted) distances.push_back(std::abs(s - made.median));
  std::sort(distances.begin(), distances.end());
  made.mad = quantile(distances, 50);
  return made;
}

int64_t QueuedWork::ns() const {
  constexpr int64_t SPARE = 4, LEAST = 50000, MOST = 20000000;
  return wanted && !waits_ && host_ >= 0 ? std::clamp(SPARE * std::min(host_, MOST), LEAST, MOST) : 0;
}

void QueuedWork::called(int64_t host_ns, int64_t busy_ns, bool behind) {
  queued_ += behind;
  waits_ = waits_ || (busy_ns > 0 && !behind && host_ns >= busy_ns);
  if (behind || busy_ns == 0) host_ = host_ < 0 ? host_ns : std::min(host_, host_ns);
}

Pace::Pace(int64_t limit_ns) : limit_(limit_ns), began_(Clock::now()), last_(began_) {}

bool Pace::is_over() {
  longest_ = std::max(longest_, since(last_));
  last_ = Clock::now();
  int64_t gone = since(began_);
  return double(gone) > SHARE * double(limit_) || double(gone + longest_) > AT_LAST * double(limit_);
}
