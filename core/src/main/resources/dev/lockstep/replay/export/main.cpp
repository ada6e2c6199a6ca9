// SPDX-License-Identifier: Apache-2.0
// Runs recorded operators again, one by one, and writes the same result as `lockstep replay run`:
//
//   replay -o RESULT.json [--device cpu|cuda] [--warmup N] [--iterations N | --window MS] [--threads N] [--flush-cache]
#include "replay.hpp"

#include <torch/script.h>
#include <torch/torch.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <sstream>

namespace {

using Clock = std::chrono::steady_clock;
using Stack = std::vector<c10::IValue>;
constexpr int64_t MS = 1000000;

struct Options {
  std::string output, device = "cpu";
  int64_t warmup = 0, iterations = 0, threads = 1;
  double window = 0;  // ms
  bool flush = false;
};

// Times of executions. Of more than MOST it keeps a random choice, in which each is as likely.
struct Figures {
  static constexpr size_t MOST = 1 << 14;
  std::vector<int64_t> samples;
  int64_t seen = 0, least = std::numeric_limits<int64_t>::max();
  std::mt19937_64 random;

  void add(int64_t ns) {
    seen++;
    least = std::min(least, ns);
    if (samples.size() < MOST) {
      samples.push_back(ns);
      return;
    }
    uint64_t place = random() % seen;
    if (place < MOST) samples[place] = ns;
  }
};

struct Result {
  std::string gap, detail, schema, substitution;  // no gap: it ran
  int64_t warmups = 0, start = 0, end = 0;  // the window, in ns since 1970
  Figures host, device;
};

const std::map<std::string, torch::ScalarType> TYPES = {
    {"uint8", torch::kByte},       {"int8", torch::kChar},           {"int16", torch::kShort},
    {"int32", torch::kInt},        {"int64", torch::kLong},          {"float16", torch::kHalf},
    {"float32", torch::kFloat},    {"float64", torch::kDouble},      {"complex32", torch::kComplexHalf},
    {"complex64", torch::kComplexFloat}, {"complex128", torch::kComplexDouble}, {"bool", torch::kBool},
    {"bfloat16", torch::kBFloat16}};

bool reduced(const std::string& dtype) { return dtype == "float16" || dtype == "bfloat16" || dtype.rfind("float8", 0) == 0; }

int64_t extent(const TensorSpec& t) {
  int64_t last = t.offset;
  for (size_t i = 0; i < t.shape.size(); i++) {
    if (t.shape[i] == 0) return t.offset;
    last += (t.shape[i] - 1) * std::max<int64_t>(0, t.strides[i]);
  }
  return last + 1;
}

// Makes up inputs: tensors that share memory where the recorded ones did, filled with numbers around 1 or with indices
// that fit every dimension.
class Inputs {
 public:
  Inputs(const Call& call, const torch::Device& device, bool single) : device_(device), single_(single) {
    limit_ = std::numeric_limits<int64_t>::max();
    for (const Arg& a : call.arguments)
      for (const TensorSpec& t : a.tensors) {
        for (int64_t size : t.shape) limit_ = std::min(limit_, std::max<int64_t>(1, size));
        if (t.dtype.empty()) continue;
        int64_t& needed = needed_[key(t)];
        needed = std::max({needed, t.storage_elements, extent(t)});
      }
    if (limit_ == std::numeric_limits<int64_t>::max()) limit_ = 2;
    if (call.name == "aten::embedding" && !call.arguments[0].tensors.empty())
      limit_ = call.arguments[0].tensors[0].shape.at(0);
  }

  c10::IValue value(const Arg& a, const c10::TypePtr& type) {
    switch (a.kind) {
      case Arg::Int: return type->kind() == c10::TypeKind::FloatType ? c10::IValue(double(a.i)) :
                            type->kind() == c10::TypeKind::BoolType ? c10::IValue(a.i != 0) : c10::IValue(a.i);
      case Arg::Real: return a.r;
      case Arg::Bool: return a.i != 0;
      case Arg::Text: return type->kind() == c10::TypeKind::DeviceObjType ? c10::IValue(device_) : c10::IValue(a.s);
      case Arg::Tensor: return tensor(a.tensors[0]);
      case Arg::List: case Arg::Tensors: {
        c10::TypePtr element = type->containedType(0);
        c10::impl::GenericList list(element);
        for (const Arg& item : a.list) list.push_back(value(item, element));
        for (const TensorSpec& t : a.tensors) list.push_back(t.dtype.empty() ? c10::IValue() : c10::IValue(tensor(t)));
        return list;
      }
      default: return {};
    }
  }

  torch::Tensor tensor(const TensorSpec& t) {
    auto found = storages_.find(key(t));
    if (found == storages_.end()) found = storages_.emplace(key(t), storage(needed_.at(key(t)), key(t).second)).first;
    return found->second.as_strided(t.shape, t.strides, t.offset);
  }

 private:
  using Key = std::pair<int64_t, std::string>;

  Key key(const TensorSpec& t) const { return {t.storage, single_ && reduced(t.dtype) ? "float32" : t.dtype}; }

  torch::Tensor storage(int64_t elements, const std::string& dtype) {
    auto type = TYPES.find(dtype);
    if (type == TYPES.end()) throw std::runtime_error("this program does not know the type " + dtype);
    torch::Tensor made = torch::empty({elements}, torch::dtype(type->second).device(device_));
    if (at::isFloatingType(type->second)) return made.uniform_(0.5, 1.5);
    if (type->second == torch::kBool) return made.random_(0, 2);
    if (at::isComplexType(type->second)) return made.fill_(1.0);
    return made.random_(0, made.element_size() == 1 ? std::min<int64_t>(limit_, 127) : limit_);
  }

  torch::Device device_;
  bool single_;
  int64_t limit_;
  std::map<Key, torch::Tensor> storages_;
  std::map<Key, int64_t> needed_;  // how far into each storage any of the tensors looks, in elements
};

// How far an argument has to be bent for a type; nothing when it does not fit.
std::optional<int> bend(const Arg& a, c10::TypePtr type) {
  if (type->kind() == c10::TypeKind::OptionalType) type = type->containedType(0);
  if (type->kind() == c10::TypeKind::ListType) {
    c10::TypePtr element = type->containedType(0);
    bool of_tensors = element->kind() == c10::TypeKind::TensorType || element->kind() == c10::TypeKind::OptionalType;
    if (of_tensors) return a.kind == Arg::Tensors || (a.kind == Arg::List && a.list.empty()) ? std::optional<int>(0) : std::nullopt;
    if (a.kind != Arg::List) return std::nullopt;
    int bent = 0;
    for (const Arg& item : a.list) {
      auto one = bend(item, element);
      if (!one) return std::nullopt;
      bent += *one;
    }
    return bent;
  }
  auto when = [](bool fits, int bent) { return fits ? std::optional<int>(bent) : std::nullopt; };
  switch (type->kind()) {
    case c10::TypeKind::TensorType: return when(a.kind == Arg::Tensor, 0);
    case c10::TypeKind::IntType: case c10::TypeKind::SymIntType: return when(a.kind == Arg::Int, 0);
    case c10::TypeKind::FloatType: return when(a.kind == Arg::Real || a.kind == Arg::Int, a.kind == Arg::Int);
    case c10::TypeKind::BoolType:
      return when(a.kind == Arg::Bool || (a.kind == Arg::Int && (a.i == 0 || a.i == 1)), a.kind == Arg::Int);
    case c10::TypeKind::NumberType: return when(a.kind == Arg::Int || a.kind == Arg::Real || a.kind == Arg::Bool, 0);
    case c10::TypeKind::StringType: case c10::TypeKind::DeviceObjType: return when(a.kind == Arg::Text, 0);
    default: return std::nullopt;
  }
}

// Whether of what is no tensor nothing is given.
bool lacks_values(const Call& call) {
  bool none = false;
  for (const Arg& a : call.arguments) {
    if (a.kind != Arg::None && a.kind != Arg::Tensor && a.kind != Arg::Tensors) return false;
    none |= a.kind == Arg::None;
  }
  return none;
}

// A lone value where a list of fixed length is wanted stands for all.
Arg listed(const Arg& a, const c10::Argument& parameter) {
  bool alone = a.kind == Arg::Int || a.kind == Arg::Real || a.kind == Arg::Bool;
  return alone && parameter.N() ? L({a}) : a;
}

std::optional<int> bend(const Call& call, const c10::FunctionSchema& schema) {
  const auto& parameters = schema.arguments();
  if (call.arguments.size() > parameters.size()) return std::nullopt;
  int bent = 0;
  for (size_t i = 0; i < parameters.size(); i++) {
    bool given = i < call.arguments.size() && call.arguments[i].kind != Arg::None;
    if (i >= call.arguments.size()) bent += 2;
    if (!given) {
      auto kind = parameters[i].type()->kind();
      if (!parameters[i].default_value() && kind != c10::TypeKind::OptionalType) {
        if (kind != c10::TypeKind::DeviceObjType || i >= call.arguments.size()) return std::nullopt;
        bent += 2;  // recordings leave devices out
      }
      continue;
    }
    auto one = bend(listed(call.arguments[i], parameters[i]), parameters[i].type());
    if (!one) return std::nullopt;
    bent += *one;
  }
  return bent;
}

Stack values(const Call& call, const c10::FunctionSchema& schema, Inputs inputs) {
  Stack stack;
  for (size_t i = 0; i < schema.arguments().size(); i++) {
    const auto& parameter = schema.arguments()[i];
    c10::TypePtr type = parameter.type();
    bool optional = type->kind() == c10::TypeKind::OptionalType;
    bool given = i < call.arguments.size() && call.arguments[i].kind != Arg::None;
    if (!given) {
      stack.push_back(optional ? c10::IValue()
                      : parameter.default_value() ? *parameter.default_value() : inputs.value(S(""), type));
    } else {
      stack.push_back(inputs.value(listed(call.arguments[i], parameter), optional ? type->containedType(0) : type));
    }
  }
  return stack;
}

class Runner {
 public:
  explicit Runner(const Options& options) : options_(options), device_(options.device), cuda_(options.device != "cpu") {}

  Result run(const Operator& op) {
    struct Way { const Call* call; bool single; std::string words; };
    std::vector<Way> ways = {{&op.call, false, ""}};
    if (!op.substitute.name.empty()) ways.push_back({&op.substitute, false, "run as " + op.substitute.name});
    for (const Way& way : std::vector<Way>(ways)) {
      bool some = false;
      for (const Arg& a : way.call->arguments)
        for (const TensorSpec& t : a.tensors) some |= reduced(t.dtype);
      if (some) ways.push_back({way.call, true, (way.words.empty() ? "run" : way.words) + " in single precision"});
    }
    std::optional<Result> first;
    for (const Way& way : ways) {
      Result result = run(*way.call, way.single, way.words);
      if (result.gap.empty()) return result;
      if (!first) first = result;
    }
    return *first;
  }

 private:
  Result run(const Call& call, bool single, const std::string& words) {
    const std::string script = "script::";
    if (call.name.rfind(script, 0) == 0) {
      if (!unit_) unit_ = torch::jit::compile(SCRIPTS);
      auto& function = unit_->get_function(c10::QualifiedName(call.name.substr(script.size())));
      return measure([&] { return values(call, function.getSchema(), Inputs(call, device_, single)); },
                     [&](Stack& stack) { function.run(stack); }, false, call.name, words);
    }
    auto all = torch::jit::getAllOperatorsFor(c10::Symbol::fromQualString(call.name));
    if (all.empty()) return {"no-such-operator"};
    struct Fit { bool other; int bent; std::string overload; std::shared_ptr<torch::jit::Operator> op; };
    std::vector<Fit> fits;
    for (const auto& op : all) {
      auto bent = bend(call, op->schema());
      if (bent) fits.push_back({op->schema().overload_name() != call.overload, *bent, op->schema().overload_name(), op});
    }
    if (fits.empty()) return {lacks_values(call) ? "values-missing" : "arguments"};
    std::stable_sort(fits.begin(), fits.end(), [](const Fit& a, const Fit& b) {
      return std::tie(a.other, a.bent, a.overload) < std::tie(b.other, b.bent, b.overload);
    });
    static const std::vector<std::string> reshaping = {"aten::resize_", "aten::resize_as_", "aten::set_", "aten::squeeze_",
        "aten::unsqueeze_", "aten::t_", "aten::transpose_", "aten::as_strided_", "aten::detach_"};
    bool afresh = std::find(reshaping.begin(), reshaping.end(), call.name) != reshaping.end();
    std::optional<Result> first;
    for (const Fit& fit : fits) {
      std::ostringstream text;
      text << fit.op->schema();
      Call taken = call;
      std::string said = words;
      for (size_t i = 0; !cuda_ && i < taken.arguments.size(); i++) {
        Arg& a = taken.arguments[i];
        if (fit.op->schema().arguments()[i].name() != "pin_memory" || a.kind != Arg::Bool || !a.i) continue;
        a = B(false);
        said = (words.empty() ? "run" : words) + " in memory that is not pinned";
      }
      Result result = measure([&] { return values(taken, fit.op->schema(), Inputs(taken, device_, single)); },
                              [&](Stack& stack) { fit.op->getOperation()(stack); }, afresh, text.str(), said);
      if (result.gap.empty()) return result;
      if (!first) first = result;
    }
    return *first;
  }

  Result measure(const std::function<Stack()>& make, const std::function<void(Stack&)>& body, bool afresh,
                 const std::string& schema, const std::string& words) {
    Result result;
    try {
      torch::NoGradGuard no_grad;
      torch::manual_seed(0);
      Stack inputs = make();
      auto took = timed(inputs, body);
      int64_t spent = took.first;
      int64_t wanted = options_.warmup ? options_.warmup : 5;
      for (result.warmups = 1; result.warmups < wanted && (options_.warmup || spent < 200 * MS); result.warmups++) {
        took = timed(afresh ? make() : inputs, body);
        spent += took.first;
      }
      int64_t runs = options_.iterations ? options_.iterations
          : took.first > 2000 * MS ? 1 : std::clamp<int64_t>(100 * MS / std::max<int64_t>(1, took.first) + 1, 3, 30);
      result.start = since_epoch();
      auto begun = Clock::now();
      while (result.host.seen < runs || (Clock::now() - begun) / std::chrono::nanoseconds(1) < options_.window * MS) {
        if (options_.flush) flush();
        took = timed(afresh ? make() : inputs, body);
        result.host.add(took.first);
        if (cuda_) result.device.add(took.second);
      }
      result.end = std::max(result.start + 1, since_epoch());
      result.schema = schema;
      result.substitution = words;
      return result;
    } catch (const std::exception& e) {
      std::string text = e.what();
      auto says = [&](const char* part) { return text.find(part) != std::string::npos; };
      bool memory = says("out of memory") || says("can't allocate memory");
      bool backend = says("Could not run '") || says("not implemented for") || says("not compiled with") || says("not linked with");
      return {memory ? "memory" : backend ? "no-backend" : "failed", text.substr(0, text.find('\n'))};
    }
  }

  static int64_t since_epoch() {
    return std::chrono::system_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
  }

  // Time on the host, and on a GPU the time until all work is done.
  std::pair<int64_t, int64_t> timed(Stack stack, const std::function<void(Stack&)>& body) {
    if (cuda_) torch::cuda::synchronize();
    auto start = Clock::now();
    body(stack);
    auto end = Clock::now();
    if (cuda_) torch::cuda::synchronize();
    return {(end - start) / std::chrono::nanoseconds(1), (Clock::now() - start) / std::chrono::nanoseconds(1)};
  }

  void flush() {
    if (!flushed_.defined()) flushed_ = torch::empty({64 << 20}, torch::device(device_));
    flushed_.fill_(1.0);
  }

  Options options_;
  torch::Device device_;
  bool cuda_;
  torch::Tensor flushed_;
  std::shared_ptr<torch::jit::CompilationUnit> unit_;
};

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

int64_t quantile(const std::vector<int64_t>& sorted, size_t percent) {
  size_t at = (sorted.size() * percent + 99) / 100;
  return sorted[at == 0 ? 0 : at - 1];
}

int64_t median(std::vector<int64_t> samples) {
  std::sort(samples.begin(), samples.end());
  return quantile(samples, 50);
}

void write(std::ostream& out, const char* name, const Figures& figures) {
  if (figures.samples.empty()) return;
  std::vector<int64_t> sorted = figures.samples, distances;
  std::sort(sorted.begin(), sorted.end());
  int64_t middle = quantile(sorted, 50);
  for (int64_t s : sorted) distances.push_back(std::abs(s - middle));
  out << ", \"" << name << "\": {\"runs\": " << sorted.size() << ", \"median_ns\": " << middle << ", \"min_ns\": " << figures.least
      << ", \"p10_ns\": " << quantile(sorted, 10) << ", \"p90_ns\": " << quantile(sorted, 90) << ", \"mad_ns\": "
      << median(distances) << ", \"noisy\": " << (quantile(sorted, 90) > 1.5 * middle ? "true" : "false") << "}";
}

int64_t weight(const Operator& op) {
  std::string basis = TIME_BASIS;
  return std::max<int64_t>(0, basis == "device" ? op.device_ns : basis == "cpu" ? op.cpu_ns : 0);
}

void write_coverage(std::ostream& out, const std::vector<Operator>& ops, const std::vector<Result>& results) {
  struct Missing { int64_t calls = 0, ns = 0; std::map<std::string, int64_t> names; };
  int64_t calls = 0, covered = 0, ns = 0, ns_covered = 0;
  std::map<std::string, Missing> gaps;
  for (size_t i = 0; i < ops.size(); i++) {
    int64_t count = ops[i].calls + ops[i].inside;
    calls += count;
    ns += weight(ops[i]);
    if (results[i].gap.empty()) {
      covered += count;
      ns_covered += weight(ops[i]);
    } else {
      Missing& gap = gaps[results[i].gap];
      gap.calls += count;
      gap.ns += weight(ops[i]);
      gap.names[ops[i].call.name] += ops[i].calls;
    }
  }
  auto percent = [&](int64_t part, int64_t whole) { return whole ? std::to_string(100.0 * part / whole) : std::string("null"); };
  std::cout << percent(covered, calls) << " % of the calls were replayed\n";
  out << "\"coverage\": {\"calls_percent\": " << percent(covered, calls) << ", \"time_percent\": " << percent(ns_covered, ns)
      << ", \"calls\": " << calls << ", \"calls_covered\": " << covered << ", \"time_ns\": " << ns << ", \"time_covered_ns\": "
      << ns_covered << ", \"gaps\": [";
  const char* comma = "";
  for (const auto& [reason, gap] : gaps) {
    std::cout << "  not: " << gap.calls << " calls: " << meaning(reason) << "\n";
    out << comma << "\n{\"reason\": " << quoted(reason) << ", \"meaning\": " << quoted(meaning(reason)) << ", \"calls\": "
        << gap.calls << ", \"time_ns\": " << gap.ns << ", \"operators\": {";
    comma = "";
    for (const auto& [name, count] : gap.names) {
      out << comma << quoted(name) << ": " << count;
      comma = ", ";
    }
    out << "}}";
    comma = ",";
  }
  out << "]},\n";
}

void write(std::ostream& out, const std::vector<Operator>& ops, const std::vector<Result>& results, const Options& options) {
  out << "{\"format\": \"lockstep-replay-result\", \"version\": 1,\n\"environment\": {\"framework\": \"libtorch "
      << TORCH_VERSION << "\", \"device\": " << quoted(options.device) << ", \"threads\": \"" << options.threads
      << "\", \"cache\": \"" << (options.flush ? "flushed before each execution" : "as the execution before left it")
      << "\"},\n\"steps\": " << STEPS << ",\n\"steps_source\": " << quoted(STEPS_SOURCE) << ",\n";
  write_coverage(out, ops, results);
  int64_t replayed = 0, cpu = 0, device = 0;
  std::ostringstream lines;
  for (size_t i = 0; i < ops.size(); i++) {
    const Operator& op = ops[i];
    const Result& r = results[i];
    lines << (i ? ",\n" : "\n") << "{\"id\": " << i << ", \"name\": " << quoted(op.call.name) << ", " << op.inputs << ", \"status\": \""
          << (!r.gap.empty() ? "not-run" : r.substitution.empty() ? "ran" : "substituted") << "\"";
    if (!r.gap.empty()) lines << ", \"reason\": " << quoted(r.gap);
    if (!r.detail.empty()) lines << ", \"detail\": " << quoted(r.detail);
    if (!r.schema.empty()) lines << ", \"schema\": " << quoted(r.schema);
    if (!r.substitution.empty()) lines << ", \"substitution\": " << quoted(r.substitution);
    if (r.gap.empty()) {
      lines << ", \"warmups\": " << r.warmups << ", \"executed\": " << r.host.seen;
      write(lines, "host", r.host);
      write(lines, "device", r.device);
      lines << ", \"window\": {\"start_ns\": " << r.start << ", \"end_ns\": " << r.end << "}";
      int64_t total = median(r.device.samples.empty() ? r.host.samples : r.device.samples) * op.calls;
      lines << ", \"total_ns\": " << total;
      replayed += total;
      cpu += std::max<int64_t>(0, op.cpu_ns);
      device += std::max<int64_t>(0, op.device_ns);
    }
    lines << ", \"calls\": " << op.calls;
    if (op.calls_per_step >= 0) lines << ", \"calls_per_step\": " << op.calls_per_step;
    if (op.cpu_ns >= 0) lines << ", \"recorded_cpu_ns\": " << op.cpu_ns;
    if (op.device_ns >= 0) lines << ", \"recorded_device_ns\": " << op.device_ns;
    lines << "}";
  }
  out << "\"sums\": {\"replayed_ns\": " << replayed << ", \"recorded_cpu_ns\": " << cpu << ", \"recorded_device_ns\": " << device
      << "},\n\"operators\": [" << lines.str() << "\n]}\n";
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i++) {
    std::string word = argv[i];
    bool more = i + 1 < argc;
    if ((word == "-o" || word == "--output") && more) options.output = argv[++i];
    else if (word == "--device" && more) options.device = argv[++i];
    else if (word == "--warmup" && more) options.warmup = std::atoll(argv[++i]);
    else if (word == "--iterations" && more) options.iterations = std::atoll(argv[++i]);
    else if (word == "--window" && more) options.window = std::atof(argv[++i]);
    else if (word == "--threads" && more) options.threads = std::atoll(argv[++i]);
    else if (word == "--flush-cache") options.flush = true;
    else options.output.clear(), i = argc;
  }
  if (options.output.empty() || (options.iterations > 0 && options.window > 0)) {
    std::cerr << "usage: replay -o RESULT.json [--device cpu|cuda] [--warmup N] [--iterations N | --window MS] [--threads N] [--flush-cache]\n";
    return 2;
  }
  if (options.device != "cpu" && !torch::cuda::is_available()) {
    std::cerr << "replay: --device " << options.device << ": this libtorch sees no GPU\n";
    return 2;
  }
  torch::set_num_threads(int(options.threads));
  std::vector<Operator> ops = plan();
  std::vector<Result> results;
  Runner runner(options);
  for (const Operator& op : ops) results.push_back(op.gap.empty() ? runner.run(op) : Result{op.gap});
  std::ofstream out(options.output);
  write(out, ops, results, options);
  return out ? 0 : 1;
}
