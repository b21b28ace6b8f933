// HTTP out over TLS: whom the client trusts, and whom not; against servers in Python and Node.
#include "scratch_folder.h"
#include "support/net_serving.h"

#include <gtest/gtest.h>

#include <sys/wait.h>

#include <csignal>
#include <memory>
#include <string>
#include <vector>

namespace belay::net {
namespace {

using check::exchange;
using check::Peer;
using check::Recorder;
using check::Wire;
using Kind = Error::Kind;

/// A program that says its port first, and ends with its input.
class Program {
 public:
  explicit Program(std::vector<std::string> words) {
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) std::abort();
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(in[0], 0);
      ::dup2(out[1], 1);
      ::execvp(argv[0], argv.data());
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    input_ = in[1];
    std::string line;
    for (char c = 0; ::read(out[0], &c, 1) == 1 && c != '\n';) line += c;
    ::close(out[0]);
    port_ = static_cast<std::uint16_t>(std::strtoul(line.c_str(), nullptr, 10));
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    ::close(input_);
    ::waitpid(child_, nullptr, 0);
  }
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::string url(std::string_view path, std::string_view host = "127.0.0.1") const {
    return "https://" + std::string(host) + ":" + std::to_string(port_) + std::string(path);
  }

 private:
  pid_t child_ = -1;
  int input_ = -1;
  std::uint16_t port_ = 0;
};

/// A certificate authority, and what it has signed; made once for all tests.
class NetTls : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new check::ScratchFolder;
    const std::string curve = " -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes ";
    std::string script = "set -e; cd " + folder_->ws() + "; openssl req -x509" + curve +
                         "-keyout ca.key -out ca.pem -days 30 -subj /CN=test-ca "
                         "-addext basicConstraints=critical,CA:TRUE;";
    for (const auto& [name, names] : {std::pair<std::string, std::string>{"right", "DNS:localhost,IP:127.0.0.1"},
                                      {"wrong", "DNS:elsewhere.example"}})
      script += "openssl req -new" + curve + "-keyout " + name + ".key -out " + name + ".csr -subj /CN=" + name +
                "; echo subjectAltName=" + names + " > " + name + ".ext; openssl x509 -req -in " + name +
                ".csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile " + name + ".ext -out " + name +
                ".pem;";
    said_ = check::command("(" + script + "echo done)");
  }
  static void TearDownTestSuite() { delete std::exchange(folder_, nullptr); }
  void SetUp() override { ASSERT_TRUE(said_.ends_with("done\n")) << said_; }

  static std::string file(const std::string& name) { return folder_->in(name); }
  static Program https(const std::string& name) {
    return Program({"python3", BELAY_TESTS_DIR "/support/tls_server.py", file(name + ".pem"), file(name + ".key")});
  }

  static inline check::ScratchFolder* folder_ = nullptr;
  static inline std::string said_;
};

TEST_F(NetTls, AServerIsTrustedThroughTheFileThatWasNamed) {
  Program server = https("right");
  ASSERT_NE(server.port(), 0);
  Client client({.ca_file = file("ca.pem")});
  auto r = exchange(client, {.method = "GET", .url = server.url("/hello")});
  EXPECT_EQ(r->trouble(), "none");
  EXPECT_EQ(r->body(), "/hello");
  EXPECT_EQ(exchange(client, {.method = "GET", .url = server.url("/again", "localhost")})->body(), "/again");
}

TEST_F(NetTls, TheEnvironmentMayNameTheFile) {
  Program server = https("right");
  for (const char* name : {"SSL_CERT_FILE", "CURL_CA_BUNDLE"}) {
    ::setenv(name, file("ca.pem").c_str(), 1);
    auto r = check::get(server.url("/hello"));
    ::unsetenv(name);
    EXPECT_EQ(r->body(), "/hello") << r->trouble();
  }
}

TEST_F(NetTls, WhoIsNotTrustedIsRefused) {
  Program server = https("right");
  auto r = check::get(server.url("/hello?key=sk-secret"));
  ASSERT_TRUE(r->error());
  EXPECT_EQ(r->error()->kind, Kind::tls) << r->trouble();
  EXPECT_NE(r->error()->message.find("SSL_CERT_FILE"), std::string::npos) << r->trouble();
  EXPECT_NE(r->error()->message.find("127.0.0.1:" + std::to_string(server.port())), std::string::npos) << r->trouble();
  EXPECT_EQ(r->error()->message.find("sk-secret"), std::string::npos) << r->trouble();
  EXPECT_EQ(r->heads(), 0);
}

TEST_F(NetTls, ACertificateForAnotherHostIsRefused) {
  Program server = https("wrong");
  Client client({.ca_file = file("ca.pem")});
  for (const char* host : {"127.0.0.1", "localhost"}) {
    auto r = exchange(client, {.method = "GET", .url = server.url("/hello", host)});
    ASSERT_TRUE(r->error());
    EXPECT_EQ(r->error()->kind, Kind::tls) << r->trouble();
    EXPECT_NE(r->error()->message.find("host name"), std::string::npos) << r->trouble();
  }
}

TEST_F(NetTls, AFileThatIsNotThereIsSaid) {
  Program server = https("right");
  Client client({.ca_file = file("no-such.pem")});
  auto r = exchange(client, {.method = "GET", .url = server.url("/hello")});
  ASSERT_TRUE(r->error());
  EXPECT_EQ(r->error()->kind, Kind::tls) << r->trouble();
  EXPECT_NE(r->error()->message.find("CA file"), std::string::npos) << r->trouble();
  // Without TLS nobody asks for it.
  auto plain = check::serve(check::echo);
  EXPECT_EQ(exchange(client, {.url = plain->url()})->trouble(), "none");
}

TEST_F(NetTls, ABodyThatIsCutOffIsToldFromOneThatEnds) {
  Program server = https("right");
  Client client({.ca_file = file("ca.pem")});
  auto cut = exchange(client, {.method = "GET", .url = server.url("/cut")});
  ASSERT_TRUE(cut->error());
  EXPECT_EQ(cut->error()->kind, Kind::connection) << cut->trouble();
  auto whole = exchange(client, {.method = "GET", .url = server.url("/close")});
  EXPECT_EQ(whole->trouble(), "none");
  EXPECT_EQ(whole->body(), "abc");
}

TEST_F(NetTls, WhatIsNotTlsAndWhatBreaksOffAreToldApart) {
  auto plain = check::serve(check::echo);
  auto r = check::get("https://127.0.0.1:" + std::to_string(plain->port()));
  ASSERT_TRUE(r->error());
  EXPECT_EQ(r->error()->kind, Kind::tls) << r->trouble();
  EXPECT_NE(r->error()->message.find("http://"), std::string::npos) << r->trouble();
  for (bool hard : {false, true}) {
    Peer closes([hard](Wire& wire) {
      wire.some();
      if (hard) wire.reset();
    });
    auto broken = check::get("https://127.0.0.1:" + std::to_string(closes.port()));
    ASSERT_TRUE(broken->error());
    EXPECT_EQ(broken->error()->kind, Kind::connection) << broken->trouble();
  }
}

TEST_F(NetTls, AProxyIsATunnelAndSeesNoHeaders) {
  Program server = https("right");
  std::string asked;
  Peer proxy([&](Wire& wire) {
    asked = wire.until("\r\n\r\n");
    Wire there = Wire::to(server.port());
    wire.send("HTTP/1.1 200 Connection established\r\n\r\n");
    std::thread back([&] {
      for (std::string bytes; !(bytes = there.some()).empty();) wire.send(bytes);
      ::shutdown(wire.fd(), SHUT_RDWR);
    });
    for (std::string bytes; !(bytes = wire.some()).empty();) there.send(bytes);
    ::shutdown(there.fd(), SHUT_RDWR);
    back.join();
  });
  ::setenv("https_proxy", ("http://127.0.0.1:" + std::to_string(proxy.port())).c_str(), 1);
  Client client({.ca_file = file("ca.pem")});
  auto r =
      exchange(client, {.method = "GET", .url = server.url("/hello"), .headers = {{"Authorization", "sk-secret"}}});
  ::unsetenv("https_proxy");
  EXPECT_EQ(r->trouble(), "none");
  EXPECT_EQ(r->body(), "/hello");
  EXPECT_EQ(r->heads(), 1);
  EXPECT_EQ(r->head().status, 200);
  EXPECT_TRUE(asked.starts_with("CONNECT 127.0.0.1:")) << asked;
  EXPECT_EQ(asked.find("sk-secret"), std::string::npos) << asked;
}

TEST_F(NetTls, ManyExchangesShareAConnectionOfHttp2) {
  Program server({"node", BELAY_TESTS_DIR "/support/h2_server.js", file("right.pem"), file("right.key")});
  ASSERT_NE(server.port(), 0);
  Client client({.ca_file = file("ca.pem")});
  EXPECT_EQ(exchange(client, {.method = "GET", .url = server.url("/a")})->body(), "HTTP/2, connection 1");
  std::vector<std::shared_ptr<Recorder>> all;
  for (int i = 0; i < 50; ++i) {
    all.push_back(std::make_shared<Recorder>());
    client.start({.url = server.url("/b"), .body = "x"}, all.back());
  }
  for (const auto& r : all) {
    ASSERT_TRUE(r->wait_end());
    EXPECT_EQ(r->body(), "HTTP/2, connection 1") << r->trouble();
    EXPECT_EQ(find(r->head().headers, "x-path"), "/b");
  }
  auto broken = exchange(client, {.method = "GET", .url = server.url("/reset")});
  ASSERT_TRUE(broken->error());
  EXPECT_EQ(broken->error()->kind, Kind::connection) << broken->trouble();
  EXPECT_EQ(broken->body(), "abc");
}

TEST_F(NetTls, AStreamOfHttp2CanBePausedAndOthersGoOn) {
  Program server({"node", BELAY_TESTS_DIR "/support/h2_server.js", file("right.pem"), file("right.key")});
  Client client({.ca_file = file("ca.pem")});
  auto paused = std::make_shared<Recorder>();
  paused->pauses = true;
  const auto id = client.start({.method = "GET", .url = server.url("/large")}, paused);
  ASSERT_TRUE(paused->wait_body(1));
  EXPECT_EQ(exchange(client, {.method = "GET", .url = server.url("/a")})->body(), "HTTP/2, connection 1");
  for (int pieces = 1; paused->ends() == 0; ++pieces) {
    client.resume(id);
    ASSERT_TRUE(paused->wait([&](const Recorder& r) { return r.pieces() > pieces || r.ends() > 0; }));
  }
  EXPECT_EQ(paused->trouble(), "none");
  EXPECT_EQ(paused->body().size(), 4'000'000u);
}

}  // namespace
}  // namespace belay::net
