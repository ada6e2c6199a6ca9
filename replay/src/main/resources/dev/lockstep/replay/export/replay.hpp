// SPDX-License-Identifier: Apache-2.0
// The plan as data: plan.cpp, which is generated. run.cpp runs operators, main.cpp does so in processes that may crash,
// samples.cpp keeps times, result.cpp writes what came of it.
#pragma once
#include <chrono>
#include <cstdint>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

struct TensorSpec {
  std::vector<int64_t> shape = {}, strides = {};
  int64_t offset = 0, storage = 0, storage_elements = 0;
  std::string dtype = {};
};

struct Arg {
  enum Kind { None, Int, Real, Bool, Text, List, Tensor, Tensors } kind = None;
  int64_t i = 0;
  double r = 0;
  std::string s = {};
  std::vector<Arg> list = {};
  std::vector<TensorSpec> tensors = {};
};

inline Arg N() { return {}; }
inline Arg I(int64_t v) { Arg a; a.kind = Arg::Int; a.i = v; return a; }
inline Arg R(double v) { Arg a; a.kind = Arg::Real; a.r = v; return a; }
inline Arg B(bool v) { Arg a; a.kind = Arg::Bool; a.i = v; return a; }
inline Arg S(std::string v) { Arg a; a.kind = Arg::Text; a.s = std::move(v); return a; }
inline Arg L(std::vector<Arg> v) { Arg a; a.kind = Arg::List; a.list = std::move(v); return a; }
inline TensorSpec D(std::vector<int64_t> shape, std::vector<int64_t> strides, int64_t offset, int64_t storage,
                    int64_t elements, std::string dtype) {
  return {std::move(shape), std::move(strides), offset, storage, elements, std::move(dtype)};
}
inline Arg T(TensorSpec v) { Arg a; a.kind = Arg::Tensor; a.tensors.push_back(std::move(v)); return a; }
// A tensor without a type stands for an absent one.
inline Arg TL(std::vector<TensorSpec> v) { Arg a; a.kind = Arg::Tensors; a.tensors = std::move(v); return a; }

struct Call {
  std::string name = {};      // empty: there is none
  std::string overload = {};  // "?" when it was not recorded
  std::vector<Arg> arguments = {};
};

struct Operator {
  std::string gap;  // why it cannot be replayed; empty when it can be tried
  int64_t calls, inside;
  double calls_per_step;  // negative when no steps are known
  int64_t cpu_ns, device_ns;  // recorded; negative when not
  Call call, substitute;
  std::string inputs;  // members of a JSON object: shapes, types, values
};

extern const int64_t STEPS;
extern const char* const STEPS_SOURCE;
extern const char* const TIME_BASIS;
extern const char* const SCRIPTS;
std::string meaning(const std::string& gap);
std::vector<Operator> plan();

struct Settings {
  std::string output = {}, device = "cpu";
  int64_t warmup = 0, iterations = 0;  // 0: the run chooses
  double window = 0;                   // ms; executions go on for at least so long
  int64_t threads = 1, memory = 0, seconds = 120;  // memory in bytes
  bool flush = false;
};

// What times of executions come to, in ns.
struct Figures {
  int64_t runs = 0;  // those it was made of; 0: there are no figures
  int64_t median = 0, least = 0, p10 = 0, p90 = 0, mad = 0;
};

// Times of executions, however many there are. Of more than MOST it keeps a random choice, in which each is as likely; the
// least is that of all.
class Samples {
 public:
  static constexpr size_t MOST = 1 << 14;

  void add(int64_t ns);
  int64_t seen() const { return seen_; }
  Figures figures() const;

 private:
  std::vector<int64_t> kept_ = {};
  int64_t seen_ = 0, least_ = 0;
  std::mt19937_64 random_ = {};
};

// How long a device is kept busy before each call of one operator, so that the call is queued as a whole before the device
// comes to it: the time between two events around it then holds nothing of the launch on the host. An operator that waits for
// the device cannot be queued; it is left alone.
class QueuedWork {
 public:
  bool wanted = false;  // not while operators warm up, and not where power is measured

  // How long the device is to be busy before the next call; 0 for nothing.
  int64_t ns() const;

  // Takes note of a call: how long it took on the host, how long the device was kept busy before it, and whether it was
  // queued as a whole before the device came to it.
  void called(int64_t host_ns, int64_t busy_ns, bool behind);

  int64_t queued() const { return queued_; }

 private:
  bool waits_ = false;
  int64_t host_ = -1, queued_ = 0;
};

// Says when executions must end, so that what was measured is told before the time is up: when three quarters of it are
// over, or when another one, as long as the longest before it, would not end in time.
class Pace {
 public:
  explicit Pace(int64_t limit_ns);

  // An execution begins now; what was done since the one before is none.
  void lap() { last_ = std::chrono::steady_clock::now(); }

  // To be asked after each execution.
  bool is_over();

 private:
  int64_t limit_;
  std::chrono::steady_clock::time_point began_, last_;
  int64_t longest_ = 0;
};

struct Result {
  std::string gap = {}, detail = {}, schema = {}, substitution = {};  // no gap: it ran
  int64_t warmups = 0, executed = 0, queued = 0, start_ns = 0, end_ns = 0;  // queued: executions that a device had as a whole before
                                                                              // it came to them; the window, since 1970
  Figures host = {}, device = {};
  bool last = false;  // the process that ran it is of no more use
};

inline Result missing(std::string gap, std::string detail = {}) {
  Result result;
  result.gap = std::move(gap);
  result.detail = std::move(detail);
  return result;
}

// What it ran on, in words.
using Facts = std::vector<std::pair<std::string, std::string>>;

// run.cpp
bool has_device(const Settings& settings);
Facts facts(const Settings& settings);
Result run(const Operator& op, const Settings& settings);

// result.cpp
void write(std::ostream& out, const std::vector<Operator>& ops, const std::vector<Result>& results, const Settings& settings,
           const Facts& facts);
void summarize(std::ostream& out, const std::vector<Operator>& ops, const std::vector<Result>& results);
