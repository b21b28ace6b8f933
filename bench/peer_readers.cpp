// On x86-64 every processor has SSE2, and RapidJSON is measured at its best.
#if defined(__SSE2__)
#define RAPIDJSON_SSE2
#endif

#include "readers.h"

#include <rapidjson/document.h>
#include <simdjson.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <memory>
#include <stdexcept>

namespace belay::bench {
namespace {

void check(bool right, const char* who) {
  if (!right) throw std::runtime_error(std::string(who) + " refused a document");
}

auto pad(const Texts& texts) {
  auto padded = std::make_shared<std::vector<simdjson::padded_string>>();
  for (std::string_view document : texts) padded->emplace_back(document);
  return padded;
}

}  // namespace

std::function<void()> simdjson_reused(const Texts& texts) {
  auto parser = std::make_shared<simdjson::dom::parser>();
  auto padded = pad(texts);
  return [=] {
    for (const simdjson::padded_string& document : *padded)
      check(parser->parse(document).error() == simdjson::SUCCESS, "simdjson");
  };
}

std::function<void()> simdjson_cold(const Texts& texts) {
  auto padded = pad(texts);
  return [=] {
    for (const simdjson::padded_string& document : *padded) {
      simdjson::dom::parser parser;
      check(parser.parse(document).error() == simdjson::SUCCESS, "simdjson");
    }
  };
}

std::function<void()> rapidjson_dom(const Texts& texts) {
  return [=] {
    for (std::string_view document : texts) {
      rapidjson::Document tree;
      tree.Parse(document.data(), document.size());
      check(!tree.HasParseError(), "RapidJSON");
    }
  };
}

std::function<void()> rapidjson_zero_ended(const Texts& texts) {
  return [=] {
    for (std::string_view document : texts) {
      rapidjson::Document tree;
      tree.Parse(document.data());
      check(!tree.HasParseError(), "RapidJSON");
    }
  };
}

std::function<void()> rapidjson_in_situ(const Texts& texts) {
  auto buffer = std::make_shared<std::string>();
  return [=] {
    for (std::string_view document : texts) {
      buffer->assign(document);
      rapidjson::Document tree;
      tree.ParseInsitu(buffer->data());
      check(!tree.HasParseError(), "RapidJSON in situ");
    }
  };
}

std::function<void()> nlohmann_dom(const Texts& texts) {
  return [=] {
    for (std::string_view document : texts) {
      auto tree = nlohmann::json::parse(document, nullptr, false);
      check(!tree.is_discarded(), "nlohmann");
    }
  };
}

std::string simdjson_kernel() { return simdjson::get_active_implementation()->name(); }

}  // namespace belay::bench
