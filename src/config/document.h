// A config file's text, read.
#pragma once

#include <belay/version.h>

#include "layer.h"

#include <expected>
#include <string>
#include <string_view>

namespace BELAY_NAMESPACE::config {

/// Every key known, every value of its shape; the first thing that is wrong is the Problem. `file` is for messages.
/// Any bytes give one or the other; memory is some twenty times the text at worst.
std::expected<Document, Problem> read_document(std::string_view text, const std::string& file);

}  // namespace BELAY_NAMESPACE::config
