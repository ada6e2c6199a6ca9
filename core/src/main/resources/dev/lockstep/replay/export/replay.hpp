// SPDX-License-Identifier: Apache-2.0
// The plan as data: plan.cpp, which is generated. run.cpp runs operators, main.cpp does so in processes that may crash,
// result.cpp writes what came of it.
#pragma once
#include <cstdint>
#include <ostream>
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
};

extern const int64_t STEPS;
extern const char* const TIME_BASIS;
extern const char* const SCRIPTS;
std::string meaning(const std::string& gap);
std::vector<Operator> plan();

struct Settings {
  std::string output = {}, device = "cpu";
  int64_t warmup = 0, iterations = 0;  // 0: the run chooses
  int64_t threads = 1, memory = 0, seconds = 120;  // memory in bytes
  bool flush = false;
};

struct Result {
  std::string gap = {}, detail = {}, schema = {}, substitution = {};  // no gap: it ran
  int64_t warmups = 0, start_ns = 0, end_ns = 0;  // of the timed executions, since 1970
  std::vector<int64_t> host = {}, device = {};
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
