// SPDX-License-Identifier: Apache-2.0
// Runs recorded operators again, one by one, and writes the same result as `lockstep replay run`. Where the system allows
// it, they run in a process of their own: when that crashes, hangs or grows too large, the operator at hand is reported, and
// the next one gets a new process.
#include "replay.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#ifndef _WIN32
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace {

constexpr const char* USAGE =
    "usage: replay -o RESULT.json [--device cpu|cuda] [--warmup N] [--iterations N | --window MS] [--threads N]\n"
    "              [--flush-cache] [--memory-limit MB] [--time-limit SECONDS]\n"
    "On ROCm the device is cuda, too.\n";

volatile std::sig_atomic_t stopped = 0;

extern "C" void stop(int) { stopped = 1; }

// Half of the machine's memory.
int64_t default_memory() {
#ifdef _SC_PHYS_PAGES
  return int64_t(sysconf(_SC_PHYS_PAGES)) * int64_t(sysconf(_SC_PAGE_SIZE)) / 2;
#else
  return int64_t(4) << 30;
#endif
}

// A whole number of at least 1; 0 when it is none.
int64_t number(const char* text) {
  char* end = nullptr;
  errno = 0;
  long long value = std::strtoll(text, &end, 10);
  return errno == 0 && end != text && *end == 0 && value >= 1 && value <= 1LL << 40 ? value : 0;
}

// A time of more than 0 ms; 0 when it is none.
double milliseconds(const char* text) {
  char* end = nullptr;
  double value = std::strtod(text, &end);
  return end != text && *end == 0 && value > 0 && value <= 1e12 ? value : 0;
}

bool read(int argc, char** argv, Settings& settings) {
  for (int i = 1; i < argc; i++) {
    std::string word = argv[i];
    if (word == "--flush-cache") {
      settings.flush = true;
      continue;
    }
    if (i + 1 == argc) return false;
    const char* value = argv[++i];
    bool fits = true;
    auto take = [&](int64_t& into) { fits = (into = number(value)) > 0; };
    if (word == "-o" || word == "--output") settings.output = value;
    else if (word == "--device") fits = (settings.device = value) == "cpu" || settings.device == "cuda";
    else if (word == "--warmup") take(settings.warmup);
    else if (word == "--iterations") take(settings.iterations);
    else if (word == "--window") fits = (settings.window = milliseconds(value)) > 0;
    else if (word == "--threads") take(settings.threads);
    else if (word == "--time-limit") take(settings.seconds);
    else if (word == "--memory-limit") { take(settings.memory); settings.memory <<= 20; }
    else return false;
    if (!fits) {
      std::cerr << "replay: " << word << ": " << value << " will not do\n";
      return false;
    }
  }
  if (settings.iterations > 0 && settings.window > 0) {
    std::cerr << "replay: --iterations and --window are two answers to one question\n";
    return false;
  }
  if (settings.window > double(settings.seconds) * 500) {
    std::cerr << "replay: --window wants at most half of --time-limit, which is " << settings.seconds << " s\n";
    return false;
  }
  if (settings.memory == 0) settings.memory = default_memory();
  return !settings.output.empty();
}

constexpr char FIELD = '\x1f';

std::string field(std::string text) {
  for (char& c : text) if (c == FIELD || c == '\n') c = ' ';
  return text + FIELD;
}

std::ostream& operator<<(std::ostream& out, const Figures& f) {
  return out << ' ' << f.runs << ' ' << f.median << ' ' << f.least << ' ' << f.p10 << ' ' << f.p90 << ' ' << f.mad;
}

std::istream& operator>>(std::istream& in, Figures& f) {
  return in >> f.runs >> f.median >> f.least >> f.p10 >> f.p90 >> f.mad;
}

std::string line(const Result& r) {
  std::ostringstream out;
  out << field(r.gap) << field(r.detail) << field(r.schema) << field(r.substitution) << r.warmups << ' ' << r.executed << ' ' << r.queued
      << ' ' << r.start_ns << ' ' << r.end_ns << ' ' << r.last << r.host << r.device;
  return out.str();
}

Result result(const std::string& line) {
  Result r;
  std::istringstream in(line);
  for (std::string* text : {&r.gap, &r.detail, &r.schema, &r.substitution}) std::getline(in, *text, FIELD);
  in >> r.warmups >> r.executed >> r.queued >> r.start_ns >> r.end_ns >> r.last >> r.host >> r.device;
  return r;
}

#ifdef _WIN32

// Runs the operators in this process.
class Workers {
 public:
  Workers(const Settings& settings, char**, int) : settings_(settings) {}

  bool start(size_t) {
    facts = ::facts(settings_);
    return has_device(settings_);
  }

  Result answer(const Operator& op, size_t) { return run(op, settings_); }

  void end() {}

  Facts facts = {};
  std::string failure = {};

 private:
  Settings settings_;
};

#else

// The process: runs the operators from a number on, and writes a line for each.
int work(const Settings& settings, int out, size_t from) {
  std::signal(SIGINT, SIG_IGN);
  auto say = [&](const std::string& text) {
    std::string whole = text + "\n";
    for (size_t done = 0; done < whole.size();) {
      ssize_t written = ::write(out, whole.data() + done, whole.size() - done);
      if (written < 0 && errno != EINTR) std::exit(1);
      done += written < 0 ? 0 : size_t(written);
    }
  };
  if (!has_device(settings)) {
    say("none");
    return 0;
  }
  std::string hello = "ready";
  for (const auto& fact : facts(settings)) hello += FIELD + field(fact.first) + fact.second;
  say(hello);
  std::vector<Operator> ops = plan();
  for (size_t i = from; i < ops.size(); i++) {
    if (!ops[i].gap.empty()) continue;
    Result made = run(ops[i], settings);
    say(line(made));
    if (made.last) break;
  }
  std::_Exit(0);  // nothing is left to do, and libraries of devices are slow to end
}

// Starts such processes, and waits for their lines.
class Workers {
 public:
  Workers(const Settings& settings, char** argv, int argc) : settings_(settings), words_(argv, argv + argc) {
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self);
    if (length > 0 && size_t(length) < sizeof self) words_[0] = std::string(self, size_t(length));
  }

  ~Workers() { end(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Makes sure that one runs; a new one begins with this operator. False when there is no such device, or no process.
  bool start(size_t from) {
    if (pid_ > 0) return true;
    int ends[2];
    if (pipe(ends) != 0) return fail("there is no pipe");
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    std::vector<std::string> words = words_;
    for (const std::string& word : {std::string("--worker"), std::to_string(ends[1]), std::to_string(from)}) words.push_back(word);
    std::vector<char*> raw;
    for (std::string& word : words) raw.push_back(word.data());
    raw.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
      // Idle threads that spin make everything slow on a busy machine; memory that was freed is kept.
      setenv("OMP_WAIT_POLICY", "PASSIVE", 0);
      setenv("OPENBLAS_NUM_THREADS", "1", 0);
      setenv("OMP_NUM_THREADS", std::to_string(settings_.threads).c_str(), 1);
      setenv("MALLOC_ARENA_MAX", "1", 0);
      setenv("MALLOC_MMAP_THRESHOLD_", "33554432", 0);
      setenv("MALLOC_TRIM_THRESHOLD_", "1073741824", 0);
      setenv("MALLOC_TOP_PAD_", "33554432", 0);
      execv(raw[0], raw.data());
      _exit(127);
    }
    close(ends[1]);
    in_ = ends[0];
    read_.clear();
    if (pid_ < 0) return fail("there is no process");
    Result gap;
    std::string hello;
    if (!next(hello, START_S, false, gap)) return fail(gap.detail.empty() ? gap.gap : gap.detail);
    if (hello == "none") return fail("");
    started_++;
    tell(hello);
    return true;
  }

  Result answer(const Operator&, size_t) {
    Result gap;
    std::string said;
    if (!next(said, settings_.seconds, true, gap)) return gap;
    Result made = result(said);
    if (made.last) end();
    return made;
  }

  void end() {
    if (in_ >= 0) close(in_);
    in_ = -1;
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    pid_ = -1;
  }

  Facts facts = {};
  std::string failure = {};  // empty: there is no such device

 private:
  static constexpr int64_t START_S = 180;
  static constexpr int LOOK_MS = 100;

  bool fail(const std::string& words) {
    failure = words;
    end();
    return false;
  }

  void tell(const std::string& hello) {
    std::istringstream in(hello);
    std::string name, value;
    std::getline(in, value, FIELD);
    facts.clear();
    while (std::getline(in, name, FIELD) && std::getline(in, value, FIELD)) facts.emplace_back(name, value);
    facts.emplace_back("worker_restarts", std::to_string(started_ - 1));
  }

  // A line; false when there is none, and why.
  bool next(std::string& said, int64_t seconds, bool limited, Result& gap) {
    auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    while (true) {
      size_t length = read_.find('\n');
      if (length != std::string::npos) {
        said = read_.substr(0, length);
        read_.erase(0, length + 1);
        return true;
      }
      pollfd look = {in_, POLLIN, 0};
      int ready = poll(&look, 1, LOOK_MS);
      if (stopped) gap = missing("not-run", "interrupted");
      else if (ready > 0) {
        char bytes[4096];
        ssize_t count = ::read(in_, bytes, sizeof bytes);
        if (count > 0) { read_.append(bytes, size_t(count)); continue; }
        gap = missing("crashed", how_it_ended());
      } else if (limited && resident() > settings_.memory) {
        gap = missing("memory", "the process held " + std::to_string(resident()) + " bytes, " +
                                    std::to_string(settings_.memory) + " are allowed");
      } else if (std::chrono::steady_clock::now() > deadline) {
        gap = missing("timed-out", "no end after " + std::to_string(seconds) + " s");
      } else continue;
      end();
      return false;
    }
  }

  std::string how_it_ended() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                               : "exit status " + std::to_string(WEXITSTATUS(status));
  }

  // Bytes that the process holds, where the system says it.
  int64_t resident() const {
    std::ifstream in("/proc/" + std::to_string(pid_) + "/statm");
    int64_t all = 0, held = 0;
    return in >> all >> held ? held * int64_t(sysconf(_SC_PAGE_SIZE)) : 0;
  }

  Settings settings_;
  std::vector<std::string> words_;
  pid_t pid_ = -1;
  int in_ = -1;
  int started_ = 0;
  std::string read_ = {};
};

#endif

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
#ifndef _WIN32
  if (argc > 3 && std::strcmp(argv[argc - 3], "--worker") == 0 && read(argc - 3, argv, settings))
    return work(settings, std::atoi(argv[argc - 2]), size_t(std::atoll(argv[argc - 1])));
#endif
  if (!read(argc, argv, settings)) {
    std::cerr << USAGE;
    return 2;
  }
  std::string part = settings.output + ".part";
  std::ofstream out(part);
  if (!out) {
    std::cerr << "replay: cannot write " << settings.output << "\n";
    return 2;
  }
  std::signal(SIGINT, stop);
  std::signal(SIGTERM, stop);
  std::vector<Operator> ops = plan();
  std::vector<Result> results;
  Workers workers(settings, argv, argc);
  for (size_t i = 0; i < ops.size(); i++) {
    if (!ops[i].gap.empty()) results.push_back(missing(ops[i].gap));
    else if (stopped) results.push_back(missing("not-run", "interrupted"));
    else if (workers.start(i)) results.push_back(workers.answer(ops[i], i));
    else if (!stopped) {
      out.close();
      std::remove(part.c_str());
      if (workers.failure.empty()) std::cerr << "replay: --device " << settings.device << ": this libtorch sees no GPU\n";
      else std::cerr << "replay: the process that runs operators did not start: " << workers.failure << "\n";
      return workers.failure.empty() ? 2 : 1;
    } else results.push_back(missing("not-run", "interrupted"));
  }
  workers.end();
  write(out, ops, results, settings, workers.facts);
  out.close();
#ifdef _WIN32
  std::remove(settings.output.c_str());
#endif
  if (!out || std::rename(part.c_str(), settings.output.c_str()) != 0) {
    std::cerr << "replay: cannot write " << settings.output << "\n";
    return 1;
  }
  summarize(std::cout, ops, results);
  return stopped ? 130 : 0;
}
