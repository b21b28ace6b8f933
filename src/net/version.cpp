#include <belay/net/client.h>

#include <curl/curl.h>

namespace BELAY_NAMESPACE::net {

std::string library_version() {
  const curl_version_info_data* curl = ::curl_version_info(CURLVERSION_NOW);
  std::string out = "libcurl " + std::string(curl->version);
  if (curl->ssl_version) out += ", " + std::string(curl->ssl_version);
  if ((curl->features & CURL_VERSION_HTTP2) != 0) out += ", HTTP/2";
  return out;
}

}  // namespace BELAY_NAMESPACE::net
