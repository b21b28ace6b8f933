// Error bodies, and the statuses and headers that they come with.
#include <belay/wire.h>

#include <gtest/gtest.h>

namespace belay::check {
namespace {

using wire::Wire;

struct FailureRow {
  std::string_view why;
  int status;
  std::string_view body, header, kind;
  bool retry;
  std::optional<double> after;
  std::string_view message;
};

TEST(WireFailure, kinds_messages_and_waits) {
  const FailureRow rows[] = {
      {"OpenAI's rate limit says how long in its words", 429,
       R"({"error":{"message":"Rate limit reached. Please try again in 11.054s.","type":"tokens","param":null,"code":"rate_limit_exceeded"}})",
       "", "rate_limit", true, 11.054, "Rate limit reached. Please try again in 11.054s."},
      {"the header is believed before the words", 429,
       R"({"error":{"message":"try again in 9s","type":"rate_limit_error"}})", " 3 ", "rate_limit", true, 3.0,
       "try again in 9s"},
      {"a date needs a clock", 503, R"({"error":{"message":"x"}})", "Wed, 21 Oct 2026 07:28:00 GMT", "overloaded", true,
       std::nullopt, "x"},
      {"nor is this a time", 503, "", "-5", "overloaded", true, std::nullopt, "HTTP status 503"},
      {"money does not come back by waiting", 429,
       R"({"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}})",
       "", "quota", false, std::nullopt, "You exceeded your current quota"},
      {"nor does a spend limit of Anthropic's", 429,
       R"({"type":"error","error":{"type":"rate_limit_error","message":"x","details":{"error_code":"enforced_spend_limit_reached"}}})",
       "", "quota", false, std::nullopt, "x"},
      {"overloaded, by name", 529, R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})", "",
       "overloaded", true, std::nullopt, "Overloaded"},
      {"overloaded, by code", 503,
       R"({"error":{"message":"x","type":"service_unavailable_error","code":"server_is_overloaded"}})", "",
       "overloaded", true, std::nullopt, "x"},
      {"Google's form, in a list, with its own delay", 429,
       R"([{"error":{"code":429,"message":"Slow down","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}]}}])",
       "", "rate_limit", true, 34.5, "Slow down"},
      {"a key that Google does not know, which it calls an invalid argument", 400,
       R"({"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}]}})",
       "", "authentication", false, std::nullopt, "API key not valid. Please pass a valid API key."},
      {"Google's quota of the day, though it names a delay", 429,
       R"({"error":{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier","quotaValue":"50"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"28s"}]}})",
       "", "quota", false, 28.0, "You exceeded your current quota"},
      {"and that of the minute, which comes back", 429,
       R"({"error":{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel-FreeTier"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"28s"}]}})",
       "", "rate_limit", true, 28.0, "You exceeded your current quota"},
      {"Ollama's form", 404, R"({"error":"model 'x' not found"})", "", "not_found", false, std::nullopt,
       "model 'x' not found"},
      {"FastAPI's two forms", 422, R"({"detail":[{"loc":["body"],"msg":"Field required"}]})", "", "invalid_request",
       false, std::nullopt, "Field required"},
      {"FastAPI's two forms", 401, R"({"detail":"Not authenticated"})", "", "authentication", false, std::nullopt,
       "Not authenticated"},
      {"known, and not allowed", 403, R"({"type":"error","error":{"type":"permission_error","message":"not for you"}})",
       "", "permission", false, std::nullopt, "not for you"},
      {"a proxy's page", 403, "<html>no</html>", "", "permission", false, std::nullopt,
       "HTTP status 403: <html>no</html>"},
      {"a key that is not known, whatever the status", 403, R"({"error":{"message":"x","code":"invalid_api_key"}})", "",
       "authentication", false, std::nullopt, "x"},
      {"vLLM's form", 400, R"({"object":"error","message":"bad","type":"BadRequestError","code":400})", "",
       "invalid_request", false, std::nullopt, "bad"},
      {"a context that is too long", 400,
       R"({"error":{"message":"This model's maximum context length is 8","code":"context_length_exceeded","type":"invalid_request_error"}})",
       "", "context_length", false, std::nullopt, "This model's maximum context length is 8"},
      {"too large", 413, R"({"type":"error","error":{"type":"request_too_large","message":"x"}})", "", "too_large",
       false, std::nullopt, "x"},
      {"a page", 500, "<html>\n <b>oops</b> {a:1}</html>", "", "server_error", true, std::nullopt,
       "HTTP status 500: <html> <b>oops</b> {a:1}</html>"},
      {"a word", 502, "Bad Gateway", "2", "server_error", true, 2.0, "HTTP status 502: Bad Gateway"},
      {"nothing", 504, "", "", "timeout", true, std::nullopt, "HTTP status 504"},
      {"JSON that says nothing", 500, R"({"error":{}})", "", "server_error", true, std::nullopt,
       R"(HTTP status 500: {"error":{}})"},
      {"an error that has only a code", 500, R"({"error":{"code":"internal"}})", "", "server_error", true, std::nullopt,
       "internal"},
      {"an image of the request stays what it is", 500, R"({"error":{"code":"image_parse_error","message":"x"}})", "",
       "invalid_request", false, std::nullopt, "x"},
      {"a server that fails over an image is another matter", 500,
       R"({"error":{"type":"image_generation_server_error","message":"x"}})", "", "server_error", true, std::nullopt,
       "x"},
      {"a policy", 500, R"({"error":{"code":"cyber_policy","message":"x"}})", "", "content_filter", false, std::nullopt,
       "x"},
      {"what a plan allows is used up", 429, R"({"error":{"type":"usage_limit_reached","message":"x"}})", "", "quota",
       false, std::nullopt, "x"},
      {"llama.cpp's word for a context that is too long", 400,
       R"({"error":{"code":400,"message":"x","type":"exceed_context_size_error"}})", "", "context_length", false,
       std::nullopt, "x"},
      {"llama.cpp's word for what it cannot do", 501,
       R"({"error":{"code":501,"message":"x","type":"not_supported_error"}})", "", "invalid_request", false,
       std::nullopt, "x"},
      {"OpenAI's word for overloaded", 500, R"({"error":{"code":"slow_down","message":"x"}})", "", "overloaded", true,
       std::nullopt, "x"},
      {"JSON that was cut", 500, R"({"error":{"message":"ab)", "", "server_error", true, std::nullopt, "ab"},
  };
  for (const FailureRow& row : rows)
    for (Wire wire : {Wire::openai_chat, Wire::openai_responses, Wire::anthropic, Wire::gemini, Wire::ollama}) {
      const wire::HttpFailure f = wire::decode_failure(wire, row.status, row.body, row.header);
      EXPECT_EQ(f.kind, row.kind) << row.why;
      EXPECT_EQ(f.retryable, row.retry) << row.why;
      EXPECT_EQ(f.retry_after, row.after) << row.why;
      EXPECT_EQ(f.message, row.message) << row.why;
    }
}

// A shorter history helps against these, so they must not look like requests that are wrong.
TEST(WireFailure, too_long_in_the_words_of_each_server) {
  const std::string_view bodies[] = {
      R"({"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}})",
      R"({"error":{"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}})",
      R"({"error":{"code":500,"message":"Context size has been exceeded.","type":"server_error"}})",
      R"({"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again"}})",
      R"({"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 205000 tokens > 200000 maximum"}})",
      R"({"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","type":"invalid_request_error","code":null}})",
      R"({"code":"invalid-argument","error":"This model's maximum prompt length is 131072 but the request contains 140000 tokens."})",
      R"({"message":"Input is too long for requested model."})",
  };
  for (const std::string_view body : bodies) {
    const wire::HttpFailure f = wire::decode_failure(Wire::openai_chat, 400, body);
    EXPECT_EQ(f.kind, "context_length") << body;
    EXPECT_FALSE(f.retryable) << body;
  }
  const wire::HttpFailure other = wire::decode_failure(
      Wire::openai_chat, 400,
      R"({"error":{"message":"max_tokens is too large: 100000. This model supports at most 16384 completion tokens","type":"invalid_request_error"}})");
  EXPECT_EQ(other.kind, "invalid_request");
}

TEST(WireFailure, any_bytes_are_a_failure) {
  for (std::string_view body :
       {"\xff\xfe{", "[[[[", "null", "7", "\"x\"", "{\"error\":[]}", "[]", "[7]", "{\"error\":{\"message\":[]}}"}) {
    const wire::HttpFailure f = wire::decode_failure(Wire::openai_chat, 418, body);
    EXPECT_EQ(f.kind, "invalid_request") << body;
    EXPECT_FALSE(f.message.empty()) << body;
  }
}

}  // namespace
}  // namespace belay::check
