// The tasks of this person, where they are kept.
#pragma once

#include <belay/store.h>

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace belay::cli {

/// The model of the built-in demonstration: lists and counts leave its tasks out unless they are asked for.
inline constexpr std::string_view kDemo = "demo";

/// The file of the store in a data folder.
std::string store_path(const std::string& data);
/// Opens the store. Null when there is none: a look must not make one. The error is one sentence.
std::expected<std::unique_ptr<store::Store>, std::string> open_kept_tasks();

/// `2026-11-16 18:15` in the person's time zone.
std::string local_minute(std::int64_t milliseconds);
/// `18:15:07`.
std::string local_second(std::int64_t milliseconds);
/// How far the person's clock is ahead of UTC now, in milliseconds.
std::int64_t zone_offset();
std::int64_t now_milliseconds();

}  // namespace belay::cli
