// Resources, templates and prompts of a server: asked for when somebody wants them.
#include <belay/mcp/servers.h>

#include "mcp/object.h"

#include <algorithm>
#include <set>

namespace BELAY_NAMESPACE::mcp {
namespace {

Failure garbled(std::string_view method) {
  return {Failure::Kind::garbage, "the answer to " + std::string(method) + " cannot be used", 0};
}

template <class T, class F>
std::expected<std::vector<T>, Failure> all_pages(Servers& servers, std::string_view server, const std::string& method,
                                                 const std::stop_token& stop, std::string* cut, F&& page_of) {
  SessionLimits limits;
  for (const ServerConfig& config : servers.configs())
    if (config.name == server) limits = config.limits;
  std::vector<T> out;
  std::set<std::string> cursors;
  std::string cursor;
  std::size_t bytes = 0;
  auto end = [&](const std::string& why) {
    if (cut) *cut = why;
    return std::move(out);
  };
  auto at = [](std::size_t limit, const std::string& of, const std::string& name) {
    return "the list was cut at " + std::to_string(limit) + " " + of + " (limit " + name + ")";
  };
  for (std::size_t n = 0; n < limits.pages; ++n) {
    const std::string params = cursor.empty() ? "" : Object().text("cursor", cursor).done();
    const Answer answer = servers.request(server, method, params, stop);
    if (!answer) return std::unexpected(answer.error());
    bool more = false;
    auto page = page_of(**answer, limits.tools - std::min(limits.tools, out.size()), more);
    if (!page) return std::unexpected(garbled(method));
    for (T& item : page->items) {
      bytes += bytes_of(item);
      if (bytes > limits.list_bytes) return end(at(limits.list_bytes, "bytes", "list_bytes"));
      out.push_back(std::move(item));
    }
    cursor = page->next_cursor;
    bytes += cursor.size();
    if (more || (out.size() >= limits.tools && !cursor.empty())) return end(at(limits.tools, "entries", "tools"));
    if (cursor.empty()) return out;
    if (bytes > limits.list_bytes) return end(at(limits.list_bytes, "bytes", "list_bytes"));
    if (!cursors.insert(cursor).second) return end("the list began again at a page that had been there; it was cut");
  }
  return end(at(limits.pages, "pages", "pages"));
}

}  // namespace

std::expected<std::vector<Resource>, Failure> Servers::resources(std::string_view server, const std::stop_token& stop,
                                                                 std::string* cut) {
  return all_pages<Resource>(*this, server, "resources/list", stop, cut, resources_page);
}

std::expected<std::vector<ResourceTemplate>, Failure> Servers::templates(std::string_view server,
                                                                         const std::stop_token& stop,
                                                                         std::string* cut) {
  return all_pages<ResourceTemplate>(*this, server, "resources/templates/list", stop, cut, templates_page);
}

std::expected<std::vector<Prompt>, Failure> Servers::prompts(std::string_view server, const std::stop_token& stop,
                                                             std::string* cut) {
  return all_pages<Prompt>(*this, server, "prompts/list", stop, cut, prompts_page);
}

std::expected<std::vector<Content>, Failure> Servers::read(std::string_view server, std::string_view uri,
                                                           const std::stop_token& stop) {
  const Answer answer = request(server, "resources/read", Object().text("uri", uri).done(), stop);
  if (!answer) return std::unexpected(answer.error());
  auto contents = resource_contents(**answer);
  if (!contents) return std::unexpected(garbled("resources/read"));
  return std::move(*contents);
}

std::expected<PromptResult, Failure> Servers::prompt(std::string_view server, std::string_view name,
                                                     std::string_view arguments, const std::stop_token& stop) {
  Object params;
  params.text("name", name);
  if (!arguments.empty()) params.raw("arguments", arguments);
  const Answer answer = request(server, "prompts/get", params.done(), stop);
  if (!answer) return std::unexpected(answer.error());
  auto result = prompt_result(**answer);
  if (!result) return std::unexpected(garbled("prompts/get"));
  return std::move(*result);
}

}  // namespace BELAY_NAMESPACE::mcp
