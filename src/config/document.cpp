// The only file that sees toml++: it is slow to compile.
#include "document.h"

#include "keys.h"
#include "nesting.h"
#include "schema/near.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
// One of its assertions does not hold for "[[[", which is then an error all the same.
#define TOML_ASSERT(expr) static_cast<void>(0)
#include <toml++/toml.h>

namespace BELAY_NAMESPACE::config {
namespace {

constexpr double kMisfit = std::numeric_limits<double>::quiet_NaN();

enum class Where : std::uint8_t { top, profile, model };

class Walk {
 public:
  explicit Walk(const std::string& file) : file_(file) {}

  std::expected<Document, Problem> document(const toml::table& root) {
    Document out;
    for (auto&& [key, node] : root) {
      const std::string name(key.str());
      if (name == "models" || name == "profiles") {
        if (!tables(name, node, name == "models" ? out.models : out.profiles)) return std::unexpected(problem_);
      } else if (!entry(key, node, "", Where::top, out.top)) {
        return std::unexpected(problem_);
      }
    }
    return out;
  }

 private:
  bool wrong(const toml::source_region& place, std::string message) {
    problem_ = {std::move(message), file_, place.begin.line, place.begin.column};
    return false;
  }

  bool tables(const std::string& kind, const toml::node& node, std::map<std::string, Layer, std::less<>>& out) {
    const bool models = kind == "models";
    const std::string example = models ? "[models.\"NAME\"]" : "[profiles.NAME]";
    const toml::table* all = node.as_table();
    if (all == nullptr) return wrong(node.source(), "expected tables: " + example);
    for (auto&& [key, one] : *all) {
      const toml::table* table = one.as_table();
      if (table == nullptr)
        return wrong(one.source(), "expected a table, as " + example + "; a name with dots in it needs quotes");
      Layer& layer = out[std::string(key.str())];
      for (auto&& [inner, value] : *table)
        if (!entry(inner, value, "", models ? Where::model : Where::profile, layer)) return false;
    }
    return true;
  }

  static bool may_stand(const Key& key, Where where) {
    return where == Where::model ? key.in_models : !key.only_models;
  }

  bool entry(const toml::key& key, const toml::node& node, const std::string& prefix, Where where, Layer& out) {
    std::string name = prefix + std::string(key.str());
    if (name == "color") name = "colour";
    if (name == "colour" && out.contains(name))
      return wrong(key.source(), "colour and color are one setting; keep one of them");
    if (const Key* known = key_named(name); known != nullptr && may_stand(*known, where)) {
      const Value value = value_of(node);
      if (std::string message = complaint(*known, value); !message.empty())
        return wrong(node.source(), name + ": " + message);
      out[name] = {value, {Source::Level::file, file_, key.source().begin.line}, key.source().begin.column};
      return true;
    }
    const std::string inner = name + ".";
    const bool holds_keys = std::ranges::any_of(
        keys(), [&](const Key& known) { return known.name.starts_with(inner) && may_stand(known, where); });
    if (!holds_keys) return unknown(key, name, where);
    const toml::table* table = node.as_table();
    if (table == nullptr) return wrong(node.source(), name + ": expected a table");
    for (auto&& [next, value] : *table)
      if (!entry(next, value, inner, where, out)) return false;
    return true;
  }

  bool unknown(const toml::key& key, const std::string& name, Where where) {
    if (const Key* known = key_named(name)) {
      return wrong(key.source(), known->only_models
                                     ? name + " is about one model: put it under [models.\"NAME\"]"
                                     : name + " is not about one model: put it at the top, or under [profiles.NAME]");
    }
    std::vector<std::string_view> names;
    for (const Key& known : keys())
      if (may_stand(known, where)) names.push_back(known.name);
    if (where == Where::top && name == key.str())
      names.insert(names.end(), {"models", "profiles", "breakers", "permissions"});
    std::string message = "no key " + cited(name);
    if (const std::string_view near = schema::nearest(name, names); !near.empty())
      message += "; did you mean " + std::string(near) + "?";
    else
      message += "; belay config --help lists the keys";
    return wrong(key.source(), message);
  }

  // What has no shape of ours becomes a number that is none, which fits no key.
  static Value value_of(const toml::node& node) {
    if (const auto* truth = node.as_boolean()) return truth->get();
    if (const auto* whole = node.as_integer()) return whole->get();
    if (const auto* number = node.as_floating_point()) return number->get();
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* list = node.as_array()) {
      Texts texts;
      for (const toml::node& item : *list) {
        const auto* text = item.as_string();
        if (text == nullptr) return kMisfit;
        texts.push_back(text->get());
      }
      return texts;
    }
    if (const auto* table = node.as_table()) {
      Pairs pairs;
      for (auto&& [name, item] : *table) {
        const auto* text = item.as_string();
        if (text == nullptr) return kMisfit;
        pairs.emplace_back(std::string(name.str()), text->get());
      }
      return pairs;
    }
    return kMisfit;  // a date or a time
  }

  const std::string& file_;
  Problem problem_;
};

}  // namespace

std::expected<Document, Problem> read_document(std::string_view text, const std::string& file) {
  if (const auto place = too_deep(text))
    return std::unexpected(Problem{"this nests deeper than any setting", file, place->line, place->column});
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return std::unexpected(
        Problem{std::string(error.description()), file, error.source().begin.line, error.source().begin.column});
  }
  return Walk(file).document(parsed.table());
}

}  // namespace BELAY_NAMESPACE::config
