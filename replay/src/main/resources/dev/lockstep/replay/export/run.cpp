// SPDX-License-Identifier: Apache-2.0
// Finds the form of an operator that takes the recorded arguments, makes up inputs, and measures.
#include "replay.hpp"

#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/csrc/jit/runtime/operator.h>
#include <torch/script.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <tuple>

#ifndef _WIN32
#include <dlfcn.h>
#endif

namespace {

using Clock = std::chrono::steady_clock;
using Stack = std::vector<c10::IValue>;
constexpr int64_t MS = 1000000;

struct ElementType {
  int code;  // the framework's number of it
  int64_t size;
};

const std::map<std::string, ElementType> TYPES = {
    {"uint8", {0, 1}},        {"int8", {1, 1}},        {"int16", {2, 2}},       {"int32", {3, 4}},
    {"int64", {4, 8}},        {"float16", {5, 2}},     {"float32", {6, 4}},     {"float64", {7, 8}},
    {"complex32", {8, 4}},    {"complex64", {9, 8}},   {"complex128", {10, 16}}, {"bool", {11, 1}},
    {"bfloat16", {15, 2}},    {"float8_e5m2", {23, 1}}, {"float8_e4m3fn", {24, 1}}, {"float8_e5m2fnuz", {25, 1}},
    {"float8_e4m3fnuz", {26, 1}}, {"uint16", {27, 2}}, {"uint32", {28, 4}},     {"uint64", {29, 8}}};

struct UnknownType : std::runtime_error {
  using std::runtime_error::runtime_error;
};

c10::ScalarType scalar_type(const std::string& dtype) {
  auto type = TYPES.find(dtype);
  if (type == TYPES.end() || type->second.code >= int(c10::ScalarType::NumOptions) ||
      type->second.code == int(c10::ScalarType::Undefined))
    throw UnknownType("this libtorch has no type " + dtype);
  return c10::ScalarType(type->second.code);
}

bool reduced(const std::string& dtype) {
  return dtype == "float16" || dtype == "bfloat16" || dtype == "complex32" || dtype.rfind("float8", 0) == 0;
}

int64_t extent(const TensorSpec& t) {
  int64_t last = t.offset;
  for (size_t i = 0; i < t.shape.size(); i++) {
    if (t.shape[i] == 0) return t.offset;
    last += (t.shape[i] - 1) * std::max<int64_t>(0, t.strides[i]);
  }
  return last + 1;
}

template <class Use>
void each_tensor(const Call& call, Use use) {
  for (const Arg& a : call.arguments)
    for (const TensorSpec& t : a.tensors)
      if (!t.dtype.empty()) use(t);
}

int64_t bytes_of_storages(const Call& call, bool single) {
  std::map<int64_t, int64_t> storages;
  each_tensor(call, [&](const TensorSpec& t) {
    auto type = TYPES.find(single && reduced(t.dtype) ? "float32" : t.dtype);
    int64_t bytes = std::max(t.storage_elements, extent(t)) * (type == TYPES.end() ? 1 : type->second.size);
    storages[t.storage] = std::max(storages[t.storage], bytes);
  });
  int64_t sum = 0;
  for (const auto& storage : storages) sum += storage.second;
  return sum;
}

// Whole numbers may be indices into any dimension of any tensor; of a table of rows only the rows are meant.
int64_t index_limit(const Call& call) {
  if (call.name == "aten::embedding" && !call.arguments.empty() && !call.arguments[0].tensors.empty() &&
      !call.arguments[0].tensors[0].shape.empty())
    return std::max<int64_t>(1, call.arguments[0].tensors[0].shape[0]);
  int64_t least = std::numeric_limits<int64_t>::max();
  each_tensor(call, [&](const TensorSpec& t) {
    for (int64_t size : t.shape) least = std::min(least, std::max<int64_t>(1, size));
  });
  return least == std::numeric_limits<int64_t>::max() ? 2 : least;
}

// Makes up inputs: tensors that share memory where the recorded ones did, filled with numbers around 1 or with indices
// that fit every dimension.
class Inputs {
 public:
  Inputs(const Call& call, const torch::Device& device, bool single, bool filled)
      : device_(device), single_(single), filled_(filled), limit_(index_limit(call)) {
    each_tensor(call, [&](const TensorSpec& t) {
      int64_t& needed = needed_[key(t)];
      needed = std::max({needed, t.storage_elements, extent(t)});
    });
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

 private:
  using Key = std::pair<int64_t, std::string>;

  Key key(const TensorSpec& t) const { return {t.storage, single_ && reduced(t.dtype) ? "float32" : t.dtype}; }

  torch::Tensor tensor(const TensorSpec& t) {
    Key wanted = key(t);
    auto found = storages_.find(wanted);
    if (found == storages_.end()) found = storages_.emplace(wanted, storage(needed_.at(wanted), wanted.second)).first;
    return found->second.as_strided(t.shape, t.strides, t.offset);
  }

  torch::Tensor storage(int64_t elements, const std::string& dtype) {
    torch::Tensor made = torch::empty({elements}, torch::dtype(scalar_type(dtype)).device(device_));
    if (!filled_) return made;
    if (dtype == "float16" || dtype == "bfloat16" || dtype == "float32" || dtype == "float64") return made.uniform_(0.5, 1.5);
    if (dtype == "bool") return made.random_(0, 2);
    if (dtype == "complex64" || dtype == "complex128") return made.fill_(1.0);
    if (dtype == "uint8" || dtype == "int8") return made.random_(0, std::min<int64_t>(limit_, 127));
    if (dtype == "int16" || dtype == "int32" || dtype == "int64") return made.random_(0, limit_);
    return made.zero_();
  }

  torch::Device device_;
  bool single_, filled_;
  int64_t limit_;
  std::map<Key, torch::Tensor> storages_ = {};
  std::map<Key, int64_t> needed_ = {};  // how far into each storage any of the tensors looks, in elements
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

bool writes(const c10::FunctionSchema& schema) {
  for (const auto& a : schema.arguments()) if (a.alias_info() && a.alias_info()->isWrite()) return true;
  return false;
}

// Whether a text that it takes names a file, or where there is one.
bool takes_file(const c10::FunctionSchema& schema) {
  for (const auto& a : schema.arguments()) {
    c10::TypePtr type = a.type();
    if (type->kind() == c10::TypeKind::OptionalType) type = type->containedType(0);
    if (type->kind() != c10::TypeKind::StringType) continue;
    for (const char* part : {"file", "path", "uri", "url"}) if (a.name().find(part) != std::string::npos) return true;
  }
  return false;
}

// Whether what it returns is memory of an argument, which it leaves as it is.
bool is_view(const c10::FunctionSchema& schema) {
  bool aliases = false;
  for (const auto& r : schema.returns()) aliases |= r.alias_info() != nullptr;
  return aliases && !writes(schema);
}

// Whether a call leaves its tensor in another shape, so that the next call needs a new one.
bool changes_shape(const std::string& name) {
  static const std::vector<std::string> names = {"aten::resize_", "aten::resize_as_", "aten::set_", "aten::squeeze_",
      "aten::unsqueeze_", "aten::t_", "aten::transpose_", "aten::swapaxes_", "aten::as_strided_", "aten::detach_"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

Stack values(const Call& call, const c10::FunctionSchema& schema, Inputs inputs) {
  Stack stack;
  for (size_t i = 0; i < schema.arguments().size(); i++) {
    const auto& parameter = schema.arguments()[i];
    c10::TypePtr type = parameter.type();
    bool optional = type->kind() == c10::TypeKind::OptionalType;
    bool given = i < call.arguments.size() && call.arguments[i].kind != Arg::None;
    if (!given) {
      stack.push_back(optional                    ? c10::IValue()
                      : parameter.default_value() ? *parameter.default_value()
                                                  : inputs.value(S(""), type));
    } else {
      stack.push_back(inputs.value(listed(call.arguments[i], parameter), optional ? type->containedType(0) : type));
    }
  }
  return stack;
}

// Only devices have memory of a host that is pinned for them. Whether any was.
bool unpin(Call& call, const c10::FunctionSchema& schema) {
  bool some = false;
  for (size_t i = 0; i < call.arguments.size() && i < schema.arguments().size(); i++) {
    Arg& a = call.arguments[i];
    if (schema.arguments()[i].name() != "pin_memory" || (a.kind != Arg::Bool && a.kind != Arg::Int) || a.i == 0) continue;
    a = B(false);
    some = true;
  }
  return some;
}

int64_t since_epoch() {
  return std::chrono::system_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

// Times on the device. Older versions of libtorch do not tell the time between two events.
template <class Event>
auto between(const Event& begin, const Event& end, int) -> decltype(begin.elapsedTime(end)) {
  end.synchronize();
  return begin.elapsedTime(end);
}

template <class Event>
double between(const Event&, const Event&, long) {
  return -1;
}

template <class Event>
constexpr auto tells_time(int) -> decltype(std::declval<const Event&>().elapsedTime(std::declval<const Event&>()), bool()) {
  return true;
}

template <class Event>
constexpr bool tells_time(long) {
  return false;
}

// A function of the libraries that this program runs with, which not all of them have.
template <class Function>
Function* function_of(std::initializer_list<const char*> names) {
#ifndef _WIN32
  for (const char* name : names)
    if (void* found = dlsym(RTLD_DEFAULT, name)) return reinterpret_cast<Function*>(found);
#else
  (void)names;
#endif
  return nullptr;
}

// Keeps the device busy for so many of its cycles: at::cuda::sleep, which is no operator.
using Sleep = void(int64_t);
Sleep* sleep_on_device() {
  static Sleep* const found = function_of<Sleep>({"_ZN2at4cuda5sleepEl", "_ZN2at3hip5sleepEl"});
  return found;
}

class Runner {
 public:
  explicit Runner(const Settings& settings)
      : settings_(settings), device_(settings.device == "cuda" ? "cuda:0" : settings.device), cuda_(settings.device != "cpu") {
    torch::set_num_threads(int(settings.threads));
  }

  // Tries one way after the other: as recorded first, then what stands in for it, then both in single precision.
  Result run(const Operator& op) {
    struct Way { const Call* call; bool single; std::string words; };
    std::vector<Way> ways = {{&op.call, false, ""}};
    if (!op.substitute.name.empty()) ways.push_back({&op.substitute, false, "run as " + op.substitute.name});
    for (const Way& way : std::vector<Way>(ways)) {
      bool some = false;
      each_tensor(*way.call, [&](const TensorSpec& t) { some |= reduced(t.dtype); });
      if (some) ways.push_back({way.call, true, (way.words.empty() ? "run" : way.words) + " in single precision"});
    }
    std::optional<Result> first;
    for (const Way& way : ways) {
      Result result = run(*way.call, way.single, way.words);
      if (result.gap.empty() || result.last) return result;
      if (!first) first = result;
    }
    return *first;
  }

 private:
  // A form of an operator, ready to be called.
  struct Callee {
    const c10::FunctionSchema* schema;
    std::function<void(Stack&)> body;
    std::string text;
    bool view, afresh;
  };

  struct Fit { bool other; int bent; std::string overload; std::shared_ptr<torch::jit::Operator> op; };

  Result run(const Call& call, bool single, const std::string& words) {
    const std::string script = "script::";
    if (call.name.rfind(script, 0) == 0) {
      if (!unit_) unit_ = torch::jit::compile(SCRIPTS);
      auto* function = unit_->find_function(c10::QualifiedName(call.name.substr(script.size())));
      if (!function) return missing("refused");
      return measure({&function->getSchema(), [&](Stack& stack) { function->run(stack); }, call.name, false, false}, call,
                     single, words);
    }
    std::vector<std::shared_ptr<torch::jit::Operator>> all;
    try {
      all = torch::jit::getAllOperatorsFor(c10::Symbol::fromQualString(call.name));
    } catch (const std::exception&) {}  // not even a name
    if (all.empty()) return missing("no-such-operator");
    for (const auto& op : all) if (takes_file(op->schema())) return missing("refused");
    std::vector<Fit> fits;
    for (const auto& op : all) {
      auto bent = bend(call, op->schema());
      if (bent) fits.push_back({op->schema().overload_name() != call.overload, *bent, op->schema().overload_name(), op});
    }
    if (fits.empty()) return missing(lacks_values(call) ? "values-missing" : "arguments");
    std::stable_sort(fits.begin(), fits.end(), [](const Fit& a, const Fit& b) {
      return std::tie(a.other, a.bent, a.overload) < std::tie(b.other, b.bent, b.overload);
    });
    std::optional<Result> first;
    for (const Fit& fit : fits) {
      const c10::FunctionSchema& schema = fit.op->schema();
      std::ostringstream text;
      text << schema;
      auto operation = fit.op->getOperation();
      Call taken = call;
      std::string said = words;
      if (!cuda_ && unpin(taken, schema)) said = (words.empty() ? "run" : words) + " in memory that is not pinned";
      Result result = measure({&schema, [&](Stack& stack) { operation(stack); }, text.str(), is_view(schema),
                               writes(schema) && changes_shape(call.name)}, taken, single, said);
      if (result.gap.empty() || result.last) return result;
      if (!first) first = result;
    }
    return *first;
  }

  Result measure(const Callee& callee, const Call& call, bool single, const std::string& words) {
    int64_t bytes = bytes_of_storages(call, single), allowed = settings_.memory / 2;
    bool large = bytes > allowed;
    if (large && !callee.view)
      return missing("memory", std::to_string(bytes) + " bytes of inputs, " + std::to_string(allowed) + " are allowed");
    try {
      torch::NoGradGuard no_grad;
      torch::manual_seed(0);
      Result result = timed(callee, [&] {
        return values(call, *callee.schema, Inputs(call, large ? torch::Device("meta") : device_, single, !callee.view));
      }, cuda_ && !large);
      result.schema = callee.text;
      result.substitution = large
          ? "run without data: its storage of " + std::to_string(bytes) + " bytes is larger than allowed" : words;
      return result;
    } catch (const UnknownType& e) {
      return missing("type-unknown", e.what());
    } catch (const std::exception& e) {
      return failure(e.what(), lacks_values(call));
    }
  }

  Result failure(const std::string& text, bool lacks) const {
    auto says = [&](const char* part) { return text.find(part) != std::string::npos; };
    bool memory = says("out of memory") || says("can't allocate memory");
    bool backend = says("Could not run '") || says("not implemented for") || says("not compiled with") ||
                   says("not linked with") || says("NYI");
    bool nothing = lacks && says("must not be None");
    Result result = missing(memory ? "memory" : backend ? "no-backend" : nothing ? "values-missing" : "failed", text.substr(0, text.find('\n')));
    // After an error of its own, a device answers everything with errors; what it has allocated is not given back.
    result.last = cuda_ && (memory || says("CUDA error") || says("HIP error") || says("CUBLAS_STATUS") || says("CUDNN_STATUS"));
    return result;
  }

  Result timed(const Callee& callee, const std::function<Stack()>& make, bool on_device) {
    Result result;
    Pace pace(settings_.seconds * 1000 * MS);
    before_ = QueuedWork();
    Stack inputs = make();
    auto took = std::make_pair(int64_t(0), int64_t(0));
    bool over = false;
    auto execute = [&](bool first) {
      took = once(callee.afresh && !first ? make() : inputs, callee.body, on_device);
      over = pace.is_over();
    };
    result.start_ns = since_epoch();
    pace.lap();
    execute(true);
    int64_t spent = took.first;
    int64_t wanted = settings_.warmup ? settings_.warmup : 5;
    for (result.warmups = 1; !over && result.warmups < wanted && (settings_.warmup || spent < 200 * MS); result.warmups++) {
      result.start_ns = since_epoch();
      execute(false);
      spent += took.first;
    }
    Samples host, device;
    auto keep = [&] {
      host.add(took.first);
      if (on_device) device.add(took.second);
    };
    if (over) {  // there is no time for another one
      result.warmups--;
      keep();
    } else {
      result.start_ns = since_epoch();
    }
    int64_t runs = settings_.iterations ? settings_.iterations
        : took.first > 2000 * MS ? 1 : std::clamp<int64_t>(100 * MS / std::max<int64_t>(1, took.first) + 1, 3, 30);
    auto window = std::chrono::nanoseconds(int64_t(settings_.window * double(MS)));
    int64_t executed = host.seen();
    auto repeat = [&](int64_t wanted_runs, std::chrono::nanoseconds wanted_time, bool kept) {
      auto begun = Clock::now();
      pace.lap();
      for (int64_t done = 0; !over && (done < wanted_runs || Clock::now() - begun < wanted_time); done++) {
        if (settings_.flush) flush();
        execute(false);
        executed++;
        if (kept) keep();
      }
    };
    bool apart = on_device && settings_.window > 0 && !over;
    before_.wanted = on_device;
    repeat(runs, apart ? std::chrono::nanoseconds(0) : window, true);
    if (apart && !over) {  // work that is queued takes power, too: times first, then the window
      before_.wanted = false;
      executed = 0;
      result.start_ns = since_epoch();
      repeat(1, window, false);
    }
    result.end_ns = std::max(result.start_ns + 1, since_epoch());
    result.executed = executed;
    result.queued = before_.queued();
    result.host = host.figures();
    result.device = device.figures();
    return result;
  }

  // Time on the host, and on the device between two events, or else until all work is done.
  std::pair<int64_t, int64_t> once(Stack stack, const std::function<void(Stack&)>& body, bool on_device) {
    if (!on_device) {
      auto start = Clock::now();
      body(stack);
      return {(Clock::now() - start) / std::chrono::nanoseconds(1), 0};
    }
    c10::Stream stream = c10::impl::VirtualGuardImpl(device_.type()).getStream(device_);
    c10::Event begin(device_.type(), c10::EventFlag::BACKEND_DEFAULT), end(device_.type(), c10::EventFlag::BACKEND_DEFAULT);
    int64_t busy = tells_time<c10::Event>(0) && sleep_on_device() ? before_.ns() : 0;
    torch::cuda::synchronize();
    c10::Event spinning(device_.type(), c10::EventFlag::BACKEND_DEFAULT);
    int64_t cycles = busy > 0 ? spin(busy, stream, spinning) : 0;
    if (tells_time<c10::Event>(0)) begin.record(stream);
    auto start = Clock::now();
    body(stack);
    auto returned = Clock::now();
    if (tells_time<c10::Event>(0)) end.record(stream);
    before_.called((returned - start) / std::chrono::nanoseconds(1), busy, busy > 0 && !begin.query());
    double ms = between(begin, end, 0);
    if (busy > 0) learn(cycles, between(spinning, begin, 0));
    torch::cuda::synchronize();
    int64_t idle = (Clock::now() - start) / std::chrono::nanoseconds(1);
    return {(returned - start) / std::chrono::nanoseconds(1), ms >= 0 ? int64_t(ms * MS) : idle};
  }

  // Keeps the device busy for about so long, without memory, from `begin` on; returns in how many of its cycles.
  int64_t spin(int64_t ns, const c10::Stream& stream, c10::Event& begin) {
    for (int tries = cycles_per_ns_ == 0 ? 2 : 0; tries > 0; tries--) {  // the first one loads the kernel
      constexpr int64_t TRIED = 1000000;
      c10::Event start(device_.type(), c10::EventFlag::BACKEND_DEFAULT), end(device_.type(), c10::EventFlag::BACKEND_DEFAULT);
      start.record(stream);
      sleep_on_device()(TRIED);
      end.record(stream);
      learn(TRIED, between(start, end, 0));
    }
    auto cycles = int64_t(double(ns) * cycles_per_ns_);
    begin.record(stream);
    sleep_on_device()(cycles);
    return cycles;
  }

  // How fast the device counts: the fastest that was seen, as the time of a spin may hold a launch, or clocks at rest.
  void learn(int64_t cycles, double ms) {
    constexpr double MOST = 4;  // in a nanosecond; no device counts faster
    cycles_per_ns_ = std::min(MOST, std::max(cycles_per_ns_, double(cycles) / std::max(1.0, ms * double(MS))));
  }

  void flush() {
    if (!flushed_.defined()) flushed_ = torch::empty({64 << 20}, torch::device(device_));
    flushed_.fill_(1.0);
  }

  Settings settings_;
  torch::Device device_;
  bool cuda_;
  torch::Tensor flushed_;
  QueuedWork before_;
  double cycles_per_ns_ = 0;  // 0: not known yet
  std::shared_ptr<torch::jit::CompilationUnit> unit_;
};

}  // namespace

bool has_device(const Settings& settings) { return settings.device == "cpu" || torch::cuda::is_available(); }

Facts facts(const Settings& settings) {
  Facts known = {{"framework", std::string("libtorch ") + TORCH_VERSION}, {"device", settings.device}};
  if (settings.device != "cpu") {
    known.emplace_back("device_time", !tells_time<c10::Event>(0) ? "until the device is idle"
                                      : sleep_on_device()        ? "between two events, queued behind other work"
                                                                 : "between two events");
    char bus[32] = {};
    auto bus_of = function_of<int(char*, int, int)>({"cudaDeviceGetPCIBusId", "hipDeviceGetPCIBusId"});
    if (bus_of && bus_of(bus, sizeof bus, 0) == 0) known.emplace_back("bus_id", bus);
  }
  return known;
}

Result run(const Operator& op, const Settings& settings) {
  static Runner runner(settings);
  return runner.run(op);
}
