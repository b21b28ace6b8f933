#include "mcp/url.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace BELAY_NAMESPACE::mcp {

std::string origin_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == url.npos) return {};
  const std::size_t end = url.find_first_of("/?#\\", scheme + 3);
  std::string out(url.substr(0, end));
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const bool tls = out.starts_with("https://");
  if (!tls && !out.starts_with("http://")) return {};
  // Names before the host are not for comparing, and the usual port need not be said.
  if (const std::size_t at = out.rfind('@'); at != out.npos) out.erase(scheme + 3, at + 1 - (scheme + 3));
  const std::string_view usual = tls ? ":443" : ":80";
  if (out.ends_with(usual)) out.resize(out.size() - usual.size());
  return out;
}

std::string resolved(std::string_view base, std::string_view reference) {
  if (reference.find("://") != reference.npos && !reference.starts_with('/') && !reference.starts_with('?'))
    return std::string(reference);
  const std::size_t scheme = base.find("://");
  if (scheme == base.npos) return std::string(reference);
  if (reference.starts_with("//")) return std::string(base.substr(0, scheme + 1)) + std::string(reference);
  const std::size_t path = std::min(base.find_first_of("/?#", scheme + 3), base.size());
  const std::string host(base.substr(0, path));
  if (reference.starts_with('/')) return host + std::string(reference);
  std::string_view folder = base.substr(path);
  folder = folder.substr(0, folder.find_first_of("?#"));
  if (reference.starts_with('?')) return host + std::string(folder) + std::string(reference);
  folder = folder.substr(0, folder.rfind('/') == folder.npos ? 0 : folder.rfind('/'));
  return host + std::string(folder) + "/" + std::string(reference);
}

std::string header_value(std::string_view text) {
  constexpr std::string_view kBegin = "=?base64?", kEnd = "?=";
  const bool plain = std::ranges::all_of(text, [](unsigned char c) { return c >= 0x20 && c < 0x7f; }) &&
                     !text.starts_with(' ') && !text.ends_with(' ') &&
                     !(text.starts_with(kBegin) && text.ends_with(kEnd));
  if (plain) return std::string(text);
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out(kBegin);
  for (std::size_t i = 0; i < text.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, text.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) bits = bits << 8 | (k < n ? static_cast<unsigned char>(text[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += k <= n ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return out += kEnd;
}

}  // namespace BELAY_NAMESPACE::mcp
