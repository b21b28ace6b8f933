// The tests of HTTP know nothing of the machine's proxies and certificates.
#include <gtest/gtest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  for (const char* name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
                           "SSL_CERT_FILE", "CURL_CA_BUNDLE"})
    ::unsetenv(name);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
