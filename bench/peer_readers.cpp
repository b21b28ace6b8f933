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

}  // namespace

std::function<void()> simdjson_reused(std::string_view document) {
  auto parser = std::make_shared<simdjson::dom::parser>();
  auto padded = std::make_shared<simdjson::padded_string>(document);
  return [=] { check(parser->parse(*padded).error() == simdjson::SUCCESS, "simdjson"); };
}

std::function<void()> simdjson_cold(std::string_view document) {
  auto padded = std::make_shared<simdjson::padded_string>(document);
  return [=] {
    simdjson::dom::parser parser;
    check(parser.parse(*padded).error() == simdjson::SUCCESS, "simdjson");
  };
}

std::function<void()> rapidjson_dom(std::string_view document) {
  return [=] {
    rapidjson::Document tree;
    tree.Parse(document.data(), document.size());
    check(!tree.HasParseError(), "RapidJSON");
  };
}

std::function<void()> rapidjson_zero_ended(std::string_view document) {
  return [=] {
    rapidjson::Document tree;
    tree.Parse(document.data());
    check(!tree.HasParseError(), "RapidJSON");
  };
}

std::function<void()> rapidjson_in_situ(std::string_view document) {
  auto buffer = std::make_shared<std::string>();
  return [=] {
    buffer->assign(document);
    rapidjson::Document tree;
    tree.ParseInsitu(buffer->data());
    check(!tree.HasParseError(), "RapidJSON in situ");
  };
}

std::function<void()> nlohmann_dom(std::string_view document) {
  return [=] {
    auto tree = nlohmann::json::parse(document, nullptr, false);
    check(!tree.is_discarded(), "nlohmann");
  };
}

std::string simdjson_kernel() { return simdjson::get_active_implementation()->name(); }

}  // namespace belay::bench
