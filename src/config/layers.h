// All that was given, in the order of its weight.
#pragma once

#include <belay/version.h>

#include "layer.h"

#include <string_view>

namespace BELAY_NAMESPACE::config {

struct Layers {
  Layer flags, model, environment, profile, top;
  Layer usual;  ///< what is built in and depends on the rest: the model of a key that is set

  /// Flags, the model's own table, environment, profile, the rest of the file, what is usual. Nothing when it is
  /// nowhere.
  [[nodiscard]] const Entry* find(std::string_view key) const {
    for (const Layer* layer : {&flags, &model, &environment, &profile, &top, &usual})
      if (const auto found = layer->find(key); found != layer->end()) return &found->second;
    return nullptr;
  }
  /// The same in one layer.
  static const Entry* find_in(const Layer& layer, std::string_view key) {
    const auto found = layer.find(key);
    return found == layer.end() ? nullptr : &found->second;
  }
};

}  // namespace BELAY_NAMESPACE::config
