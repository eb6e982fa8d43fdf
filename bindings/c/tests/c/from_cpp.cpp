// The header and the library from C++.

#include <string>
#include <string_view>
#include <utfall.h>

int main() {
    utfall_options options;
    utfall_options_init(&options);
    options.on_unencodable = UTFALL_REPLACE;
    const std::string_view text = "10 \u20AC";
    std::string out(16, '\0');
    const utfall_progress progress = utfall_transcode(
        UTFALL_ENC_UTF_8, UTFALL_ENC_US_ASCII, &options, text.data(), text.size(), out.data(), out.size());
    out.resize(progress.written);

    std::string report;
    const auto writer = [](void *context, const char *bytes, std::size_t length) {
        static_cast<std::string *>(context)->append(bytes, length);
        return true;
    };
    const utfall_status status = utfall_detect_json(text.data(), text.size(), nullptr, writer, &report);
    const bool is_right = progress.status == UTFALL_OK && out == "10 ?" && status == UTFALL_OK
        && report.find("\"UTF-8\"") != std::string::npos;
    return is_right ? 0 : 1;
}
