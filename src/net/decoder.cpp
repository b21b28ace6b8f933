#include "net/decoder.h"

#include "net/headers.h"

#include <brotli/decode.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

namespace BELAY_NAMESPACE::net {
namespace {

using Buffer = std::array<unsigned char, 32u << 10>;  // a receiver gets pieces of at most this size

const unsigned char* begin_of(std::string_view bytes) { return reinterpret_cast<const unsigned char*>(bytes.data()); }

std::string_view text_of(const Buffer& buffer, std::size_t size) {
  return {reinterpret_cast<const char*>(buffer.data()), size};
}

/// gzip, in one member or several; deflate, with zlib's head (as RFC 9110 has it) or without (as some servers have it).
class Inflater final : public Decoder {
 public:
  explicit Inflater(bool gzip) : gzip_(gzip) {}
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() override {
    if (begun_) inflateEnd(&stream_);
  }
  Step run(std::string_view bytes) override;
  [[nodiscard]] bool complete() const override { return ended_; }

 private:
  bool begin(unsigned char first) {
    constexpr int kWindow = 15, kGzip = 16;
    const bool headed = (first & 0x0f) == Z_DEFLATED && first >> 4 <= 7;
    return inflateInit2(&stream_, gzip_ ? kWindow + kGzip : headed ? kWindow : -kWindow) == Z_OK;
  }
  const bool gzip_;
  bool begun_ = false, ended_ = false;
  z_stream stream_{};
  Buffer out_;
};

Decoder::Step Inflater::run(std::string_view bytes) {
  Step step;
  if (ended_) {
    // Zeros behind the end are padding; anything else must be another member.
    while (step.taken < bytes.size() && bytes[step.taken] == '\0') ++step.taken;
    if (step.taken == bytes.size()) return step;
    if (!gzip_ || inflateReset(&stream_) != Z_OK) {
      step.damaged = true;
      return step;
    }
    ended_ = false;
  }
  const std::string_view rest = bytes.substr(step.taken);
  if (!begun_) {
    if (rest.empty()) return step;
    begun_ = begin(*begin_of(rest));
    if (!begun_) {
      step.damaged = true;
      return step;
    }
  }
  const auto given = static_cast<uInt>(std::min<std::size_t>(rest.size(), std::numeric_limits<uInt>::max()));
  stream_.next_in = const_cast<unsigned char*>(begin_of(rest));  // zlib only reads it
  stream_.avail_in = given;
  stream_.next_out = out_.data();
  stream_.avail_out = static_cast<uInt>(out_.size());
  const int code = inflate(&stream_, Z_NO_FLUSH);
  step.taken += given - stream_.avail_in;
  step.out = text_of(out_, out_.size() - stream_.avail_out);
  ended_ = code == Z_STREAM_END;
  step.damaged = code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR;
  step.more = !ended_ && stream_.avail_out == 0;
  return step;
}

class Unbrotli final : public Decoder {
 public:
  Unbrotli() : state_(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)) {}
  Step run(std::string_view bytes) override {
    Step step;
    if (!state_ || (!bytes.empty() && complete())) {
      step.damaged = true;
      return step;
    }
    std::size_t left = bytes.size(), room = out_.size();
    const unsigned char* from = begin_of(bytes);
    unsigned char* to = out_.data();
    const BrotliDecoderResult result = BrotliDecoderDecompressStream(state_.get(), &left, &from, &room, &to, nullptr);
    step.taken = bytes.size() - left;
    step.out = text_of(out_, out_.size() - room);
    step.damaged = result == BROTLI_DECODER_RESULT_ERROR;
    step.more = result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
    return step;
  }
  [[nodiscard]] bool complete() const override { return state_ && BrotliDecoderIsFinished(state_.get()); }

 private:
  struct Free {
    void operator()(BrotliDecoderState* state) const { BrotliDecoderDestroyInstance(state); }
  };
  std::unique_ptr<BrotliDecoderState, Free> state_;
  Buffer out_;
};

}  // namespace

Encoding encoding_of(std::string_view value) {
  value = trimmed(value);
  if (value.empty() || same_name(value, "identity")) return Encoding::identity;
  if (same_name(value, "gzip") || same_name(value, "x-gzip")) return Encoding::gzip;
  if (same_name(value, "deflate")) return Encoding::deflate;
  if (same_name(value, "br")) return Encoding::brotli;
  return Encoding::unknown;
}

std::unique_ptr<Decoder> make_decoder(Encoding encoding) {
  switch (encoding) {
    case Encoding::gzip: return std::make_unique<Inflater>(true);
    case Encoding::deflate: return std::make_unique<Inflater>(false);
    case Encoding::brotli: return std::make_unique<Unbrotli>();
    case Encoding::identity:
    case Encoding::unknown: break;
  }
  return nullptr;
}

}  // namespace BELAY_NAMESPACE::net
