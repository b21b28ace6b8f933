#include "checkup.h"

#include "model_remedy.h"
#include "session.h"
#include "version.h"

#include <belay/run.h>
#include <belay/task/listener.h>
#include <belay/tool.h>
#include <belay/wire.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>

namespace belay::cli {
namespace {

using State = Check::State;

// One answer, waited for.
class Collected final : public net::Receiver {
 public:
  void on_head(const net::Head& head) override {
    const std::scoped_lock lock(mutex_);
    head_ = head;
    changed_.notify_all();
  }
  bool on_bytes(std::string_view bytes) override {
    body_ += bytes;
    return true;
  }
  void on_end(const std::optional<net::Error>& error) override {
    const std::scoped_lock lock(mutex_);
    error_ = error;
    ended_ = true;
    changed_.notify_all();
  }
  /// Until there is an answer, or none will come. Its status; 0 for none.
  int wait_for_head() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ || head_.status != 0; });
    return head_.status;
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_; });
  }
  net::Head head_;
  std::string body_;
  std::optional<net::Error> error_;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
};

constexpr std::string_view kReportNumber = "report_number";

tool::Registry one_tool() {
  tool::Spec spec;
  spec.name = kReportNumber;
  spec.description = "Reports a number to the person.";
  spec.parameters =
      R"({"type":"object","properties":{"number":{"type":"integer"}},"required":["number"],"additionalProperties":false})";
  spec.effect = tool::Effect::meta;
  tool::Registry out;
  if (auto tool = tool::Tool::make(std::move(spec), {})) out.add(std::move(*tool));
  return out;
}

chat::Request question(const config::Config& config, const tool::Registry& tools) {
  chat::Request out;
  out.model = config.model.value;
  out.messages.push_back({chat::Role::user, {chat::text_block("Call report_number with the number 7.")}, {}});
  out.tools = tools.offered();
  out.max_output_tokens = 2'000;
  return out;
}

bool is_good(int status) { return status >= 200 && status < 300; }

// What is to be said of an answer that is none.
Check refused(const config::Config& config, const Collected& got) {
  const std::string& where = config.base_url.value;
  if (got.error_ && got.head_.status == 0)
    return {"reachable", State::bad, got.error_->message,
            "is the server running, and is the address right? --base-url"};
  const wire::HttpFailure failure = wire::decode_failure(config.wire.value, got.head_.status, got.body_);
  std::string remedy = model_remedy(config, failure.kind);
  if (failure.kind == "quota" || failure.kind == "rate_limit") remedy = "the provider's limits are reached for now";
  if (remedy.empty()) remedy = "belay config shows where model, wire and address come from";
  // A body that is no error of any wire is told by its status already.
  const std::string status = "HTTP status " + std::to_string(got.head_.status);
  return {"reachable", State::bad,
          where + " refuses: " + (failure.message.starts_with(status) ? "" : status + ", ") + failure.message, remedy};
}

// How a call came says what the server is good for.
Check called(const config::Config& config, const tool::Registry& tools, const Collected& got) {
  task::Listener listener("doctor", tools, "auto", {});
  wire::StreamDecoder decoder(config.wire.value, listener);
  decoder.push(got.body_);
  decoder.finish(got.error_ ? sse::Ended::reset : sse::Ended::eof);
  auto answer = listener.finish();
  if (!answer && got.error_)
    return {"tool calls", State::bad, "the answer did not come to its end: " + got.error_->message,
            "is the server still loading the model, or busy? ask again later"};
  if (!answer)
    return {"tool calls", State::bad, "the answer cannot be read: " + answer.error().message,
            "is the wire right? " + std::string(wire::name(config.wire.value)) + " was spoken; --wire names another"};
  for (const turn::Call& call : answer->calls) {
    if (call.name != kReportNumber) continue;
    if (!call.from_text) {
      const bool whole = call.trusted && call.verdict.word() == json::Word::valid;
      return {"tool calls", State::good,
              whole ? "native, and whole"
                    : "native; this one was " + std::string(json::name(call.verdict.word())) + ", which Belay handles",
              ""};
    }
    return {
        "tool calls", State::bad, "the model writes them as text, and the server does not make calls of them",
        "turn on the server's tool parser (vLLM: --enable-auto-tool-choice --tool-call-parser; llama.cpp: --jinja), "
        "or let Belay read the text: --format auto, or the format's own name"};
  }
  return {"tool calls", State::bad, "the model was asked for a call and made none",
          "some models need to be told in text: --format hermes, for one; or another model"};
}

// Nothing, or why no file can be put into the folder, which need not be there yet. Makes nothing.
std::string why_not_kept(const std::string& folder) {
  struct stat info{};
  std::string there = folder;
  while (::stat(there.c_str(), &info) != 0) {
    if (errno != ENOENT && errno != ENOTDIR) return there + ": " + std::strerror(errno);
    there.resize(there.rfind('/') == 0 ? 1 : there.rfind('/'));
  }
  // What is there is looked at, and not made.
  if (there == folder)
    if (auto good = config::make_folder(folder); !good) return config::describe(good.error());
  if (!S_ISDIR(info.st_mode)) return there + " is no folder";
  if (::faccessat(AT_FDCWD, there.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    return there + " cannot be written: " + std::strerror(errno);
  return {};
}

}  // namespace

std::vector<Check> check_model(const config::Config& config, const ModelCheckOptions& options,
                               const std::function<void(const Check&)>& known) {
  std::vector<Check> out;
  const std::string& key = config.key.value.reveal();
  const auto add = [&](Check check) {
    // A server may say the key back.
    for (std::size_t at = 0; key.size() >= 8 && (at = check.what.find(key, at)) != std::string::npos;)
      check.what.replace(at, key.size(), "***");
    known(check);
    out.push_back(std::move(check));
  };
  if (config.demo) {
    add({"model", State::open, "none is configured; belay run plays the built-in demo",
         "set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or give --model, for instance "
         "--model ollama/qwen3:8b"});
    return out;
  }
  if (!config.unusable.empty()) {
    add({"model", State::bad, config.unusable, "belay config shows what applies, and whence"});
    return out;
  }
  add({"model", State::good,
       config.model.value + " by " + std::string(wire::name(config.wire.value)) + " at " + config.base_url.value +
           (config.key.value.empty() ? ", without a key" : ", with a key"),
       ""});
  if (options.offline) {
    add({"reachable", State::open, "not tried (--offline)", ""});
    return out;
  }
  run::Endpoint endpoint;
  endpoint.wire = config.wire.value;
  endpoint.base_url = config.base_url.value;
  endpoint.key = key;
  endpoint.bearer = config.bearer;
  for (const config::Header& header : config.headers) endpoint.headers.push_back({header.name, header.value.reveal()});
  endpoint.timeouts = {10'000, options.idle_timeout, std::max<std::int64_t>(120'000, options.idle_timeout)};
  const tool::Registry tools = one_tool();
  const auto got = std::make_shared<Collected>();
  net::Client client;
  client.start(run::request_to(endpoint, question(config, tools)), got);
  const bool good = is_good(got->wait_for_head());
  if (good) add({"reachable", State::good, config.base_url.value + " answers", ""});
  got->wait();
  add(good ? called(config, tools, *got) : refused(config, *got));
  return out;
}

std::vector<Check> check_store(const config::Config& config) {
  const std::string path = config.places.data + "/tasks.db";
  if (const std::string why = why_not_kept(config.places.data); !why.empty())
    return {{"store", State::bad, why,
             "belay run cannot keep tasks until this is mended; BELAY_HOME names another folder"}};
  if (::access(path.c_str(), F_OK) != 0)
    return {{"store", State::open, "no task was kept yet; " + path + " is made by the first one", ""}};
  auto store = open_store(config.places.data);
  if (!store) return {{"store", State::bad, store.error(), "belay run cannot keep tasks until this is mended"}};
  store::Listing listing;
  listing.at_most = 1'000;
  auto tasks = (*store)->list(listing);
  if (!tasks) return {{"store", State::bad, tasks.error().message, "belay run cannot keep tasks until this is mended"}};
  const bool more = tasks->size() == listing.at_most;
  return {{"store", State::good,
           path + ": whole, " + (more ? "at least " : "") + std::to_string(tasks->size()) +
               (tasks->size() == 1 ? " task" : " tasks"),
           ""}};
}

std::vector<Check> check_versions() {
  return {{"belay", State::open, std::string(kVersion), ""},
          {"HTTP", State::open, net::library_version(), ""},
          {"SQLite", State::open, store::sqlite_version(), ""}};
}

}  // namespace belay::cli
