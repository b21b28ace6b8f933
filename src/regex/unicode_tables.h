// Unicode's properties, as far as ECMA-262 lets a pattern ask for them. unicode_tables.cpp is made by
// unicode_tables.mjs.
#pragma once

#include <belay/version.h>

#include <span>
#include <string_view>

namespace BELAY_NAMESPACE::regex {

// Properties are written as runs that cover U+0000 to U+10FFFF: a value, then how many code points have it.
// `Cc32Zs1Po3` says that 32 code points are Cc, then one is Zs, then three are Po.

extern const std::string_view kUnicodeVersion;

/// General_Category, two letters each.
extern const std::string_view kCategoryRuns;

/// Script, four letters each.
extern const std::string_view kScriptRuns;

/// Script_Extensions, where they are more or other than the script: the scripts' letters joined. `-` elsewhere.
extern const std::string_view kScriptExtensionRuns;

struct ScriptName {
  std::string_view code;  ///< as in kScriptRuns
  std::string_view name;
};
extern const std::span<const ScriptName> kScriptNames;

/// A property that a code point has or has not: those of the categories (joined) have it, where `differ` is `Y` the
/// others.
struct BinaryProperty {
  std::string_view name;
  std::string_view short_name;
  std::string_view categories;
  std::string_view differ;
};
extern const std::span<const BinaryProperty> kBinaryProperties;

}  // namespace BELAY_NAMESPACE::regex
