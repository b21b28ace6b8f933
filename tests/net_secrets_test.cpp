// Keys do not come out in any spelling, nor by halves.
#include <belay/net/secrets.h>

#include <gtest/gtest.h>

namespace belay::net {
namespace {

const std::string kKey = "sk-live-Zm9v/YmFy+QmF6=0123456789ab";

TEST(NetSecrets, GoAsTheyAre) {
  const Secrets secrets({kKey});
  EXPECT_EQ(secrets.without("a " + kKey + " b " + kKey), "a *** b ***");
  EXPECT_EQ(secrets.without("nothing in it"), "nothing in it");
  EXPECT_EQ(secrets.without(""), "");
}

TEST(NetSecrets, GoInEverySpellingThatAReaderUndoes) {
  const Secrets secrets({kKey});
  EXPECT_EQ(secrets.without(R"({"e":"sk-live-Zm9v\/YmFy+QmF6=0123456789ab"})"), R"({"e":"***"})");
  EXPECT_EQ(secrets.without(R"(sk-live-Zm9v/YmFy\u002BQmF6\u003d0123456789ab.)"), "***.");
  EXPECT_EQ(secrets.without("sk-live-Zm9v%2FYmFy%2bQmF6%3D0123456789ab&x"), "***&x");
  EXPECT_EQ(secrets.without("sk-live-Zm9v&#x2F;YmFy&#43;QmF6=0123456789ab"), "***");
  std::string all;
  for (const char c : kKey) {
    constexpr char kHex[] = "0123456789abcdef";
    all += std::string("\\u00") + kHex[static_cast<unsigned char>(c) >> 4] + kHex[c & 15];
  }
  EXPECT_EQ(secrets.without("<" + all + ">"), "<***>");
}

TEST(NetSecrets, GoWhereOnlyTheirBeginningIsLeft) {
  const Secrets secrets({kKey});
  for (std::size_t n = 16; n < kKey.size(); ++n) {
    EXPECT_EQ(secrets.without("<html>" + kKey.substr(0, n)), "<html>***") << n;
    EXPECT_EQ(secrets.without(kKey.substr(0, n) + "..."), "***...") << n;
  }
  // What keys of a kind begin with is no secret.
  EXPECT_EQ(secrets.without("keys begin with sk-live-"), "keys begin with sk-live-");
}

TEST(NetSecrets, BeginAgainBehindWhatOnlyLookedLikeOne) {
  const Secrets secrets({"abcabcabcabd"});
  EXPECT_EQ(secrets.without("abcabcabcabcabd"), "***cabd");
  EXPECT_EQ(Secrets({"aaaaaaab"}).without("aaaaaaaaaaab"), "aaaa***");
}

TEST(NetSecrets, OfAHeaderTheKeyAloneIsOneToo) {
  const Secrets secrets({"Bearer abcdefgh12345678"});
  EXPECT_EQ(secrets.without("it was abcdefgh12345678, with Bearer abcdefgh12345678"), "it was ***, with ***");
}

TEST(NetSecrets, ShortOnesAreNone) {
  EXPECT_EQ(Secrets({"test", ""}).without("a test"), "a test");
  EXPECT_TRUE(Secrets({"test"}).empty());
}

TEST(NetSecrets, HalvesOfOtherSpellingsStay) {
  const Secrets secrets({kKey});
  for (const char* text : {"%", "%4", "\\", "\\u", "\\u00", "&#", "&#x", "&#12", "%zz", "\\u00zz", "&#xzz;"})
    EXPECT_EQ(secrets.without(text), text);
}

}  // namespace
}  // namespace belay::net
