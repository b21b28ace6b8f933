// How a session begins: the introduction, and the list of tools, which is repeated when it changes.
#include <belay/mcp/session.h>

#include "mcp/object.h"
#include "mcp/param_headers.h"

#include <algorithm>

namespace BELAY_NAMESPACE::mcp {

void Session::start(Time now) {
  if (phase_ != Phase::idle) return;
  startup_ = now + options_.startup_ms;
  if (options_.discover_first)
    introduce(Use::discover, Version::v2026_07_28, now);
  else
    introduce(Use::initialize, options_.newest, now);
}

void Session::introduce(Use use, Version version, Time now) {
  phase_ = Phase::introducing;
  Waiting w;
  w.use = use;
  w.options.timeout_ms = w.options.total_ms = options_.startup_ms;
  w.deadline = w.last = now + options_.startup_ms;
  if (use == Use::initialize) {
    tried_initialize_ = true;
    version_.reset();
    w.method = "initialize";
    w.params = initialize_params(options_.facts, version);
  } else {
    tried_discover_ = true;
    version_ = version;
    w.method = "server/discover";
  }
  put_out(std::move(w), now);
}

void Session::introduced(const Waiting& w, const Payload& result, Time now) {
  auto introduction = introduction_of(*result);
  if (!introduction)
    return introduction_failed(w, {Failure::Kind::garbage, "its answer to " + w.method + " names no version", 0}, {},
                               now);
  std::optional<Version> best, older, newer;
  for (const std::string& text : introduction->versions) {
    const auto version = version_named(text);
    if (!version) continue;
    if (stateless(*version) == (w.use == Use::discover)) best = std::max(best.value_or(*version), *version);
    auto& kind = stateless(*version) ? newer : older;
    kind = std::max(kind.value_or(*version), *version);
  }
  if (!best && w.use == Use::discover && older && !tried_initialize_) return introduce(Use::initialize, *older, now);
  if (!best && w.use == Use::initialize && newer && !tried_discover_) {
    first_error_ = "it answers initialize with version " + std::string(name(*newer)) +
                   ", which has none, and does not answer server/discover";
    return introduce(Use::discover, *newer, now);
  }
  if (!best) {
    std::string theirs = introduction->versions.empty() ? "none" : introduction->versions.front().substr(0, 40);
    return give_up({Failure::Kind::refused,
                    "it speaks version " + theirs + " of MCP; this client speaks 2024-11-05 to 2026-07-28", 0},
                   now);
  }
  version_ = best;
  server_ = std::move(*introduction);
  if (w.use == Use::initialize) notify("notifications/initialized", "");
  phase_ = listed_once_ ? Phase::ready : Phase::listing;
  if (server_.capabilities.tools && !listed_once_)
    begin_listing(now);
  else if (!listed_once_)
    end_listing(now);
  else if (list_wanted_)
    begin_listing(now);
  if (phase_ == Phase::failed) return;
  while (!held_.empty()) {
    Waiting held = std::move(held_.front());
    held_.pop_front();
    put_out(std::move(held), now);
  }
}

void Session::introduction_failed(const Waiting& w, Failure failure, const Payload& data, Time now) {
  if (first_error_.empty()) first_error_ = w.method + ": " + failure.message;
  const bool answered = failure.kind == Failure::Kind::answered;
  // A server that names the versions that it has is taken at its word, once.
  if (answered && data && !tried_older_) {
    std::optional<Version> best;
    for (const std::string& text : supported_versions(*data))
      if (const auto v = version_named(text); v && (!stateless(*v) || !tried_discover_))
        best = std::max(best.value_or(*v), *v);
    if (best) {
      tried_older_ = true;
      return introduce(stateless(*best) ? Use::discover : Use::initialize, *best, now);
    }
  }
  if (answered && w.use == Use::initialize && !tried_discover_)
    return introduce(Use::discover, Version::v2026_07_28, now);
  if (w.use == Use::discover && !tried_initialize_ && failure.kind != Failure::Kind::closed)
    return introduce(Use::initialize, options_.newest, now);
  failure.message = first_error_;
  give_up(std::move(failure), now);
}

void Session::begin_listing(Time now) {
  list_running_ = true;
  list_wanted_ = false;
  listing_.clear();
  listing_notes_.clear();
  listing_names_.clear();
  cursors_.clear();
  cursor_.clear();
  pages_ = listing_bytes_ = 0;
  next_page(now);
}

void Session::next_page(Time now) {
  Waiting w;
  w.use = Use::list;
  w.method = "tools/list";
  if (!cursor_.empty()) w.params = Object().text("cursor", cursor_).done();
  w.options.timeout_ms = w.options.total_ms = options_.list_ms;
  w.deadline = w.last = now + options_.list_ms;
  ++pages_;
  put_out(std::move(w), now);
}

void Session::listed_page(const Payload& result, Time now) {
  const SessionLimits& limits = options_.limits;
  bool more = false;
  auto page = tools_page(*result, limits.tools - std::min(limits.tools, listing_.size()), more);
  if (!page) {
    Waiting w;
    w.use = Use::list;
    return fail(std::move(w), {Failure::Kind::garbage, "the answer to tools/list is no list of tools", 0}, now);
  }
  if (page->unusable > 0)
    listing_notes_.push_back(std::to_string(page->unusable) + " tools without a name were left out");
  // Whether there is room for so much more of it.
  auto fits = [&](std::size_t bytes) {
    listing_bytes_ += bytes;
    if (listing_bytes_ <= limits.list_bytes) return true;
    listing_notes_.push_back("the list was cut at " + std::to_string(limits.list_bytes) + " bytes (limit list_bytes)");
    return false;
  };
  for (ToolDefinition& tool : page->items) {
    if (!fits(bytes_of(tool))) return end_listing(now);
    if (!listing_names_.insert(tool.name).second) {
      if (listing_notes_.size() < 100)
        listing_notes_.push_back("a second tool named " + tool.name.substr(0, 80) + " was left out");
      continue;
    }
    if (options_.http && version_ && stateless(*version_) &&
        tool.input_schema.find("x-mcp-header") != std::string::npos) {
      const json::Reading schema = json::read(tool.input_schema);
      if (const auto headers = param_headers(schema.document.root()); !headers) {
        if (listing_notes_.size() < 100)
          listing_notes_.push_back("the tool " + tool.name.substr(0, 80) + " was left out: " + headers.error());
        continue;
      }
    }
    listing_.push_back(std::move(tool));
  }
  if (more || (listing_.size() >= limits.tools && !page->next_cursor.empty())) {
    listing_notes_.push_back("the list was cut at " + std::to_string(limits.tools) + " tools (limit tools)");
    return end_listing(now);
  }
  cursor_ = page->next_cursor;
  if (cursor_.empty()) return end_listing(now);
  if (!fits(cursor_.size())) return end_listing(now);
  if (!cursors_.insert(cursor_).second) {
    listing_notes_.push_back("the list began again at a page that had been there; it was cut");
    return end_listing(now);
  }
  if (pages_ >= limits.pages) {
    listing_notes_.push_back("the list was cut at " + std::to_string(limits.pages) + " pages (limit pages)");
    return end_listing(now);
  }
  next_page(now);
}

void Session::end_listing(Time now) {
  list_running_ = false;
  list_ended_ = now;
  const bool changed = listing_ != tools_ || !listed_once_;
  tools_ = std::move(listing_);
  notes_ = std::move(listing_notes_);
  listing_.clear();
  listing_notes_.clear();
  outputs_.emplace_back(Listed{changed});
  if (phase_ == Phase::listing) become_ready(now);
}

void Session::become_ready(Time now) {
  phase_ = Phase::ready;
  listed_once_ = true;
  lost_ = false;
  if (version_ && stateless(*version_) && server_.capabilities.tools_list_changed) {
    Waiting w;
    w.use = Use::listen;
    w.method = "subscriptions/listen";
    w.params = R"({"notifications":{"toolsListChanged":true}})";
    put_out(std::move(w), now);
  }
}

}  // namespace BELAY_NAMESPACE::mcp
