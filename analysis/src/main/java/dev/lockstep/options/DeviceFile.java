// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.options;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.codec.Json;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the description of a device. Every message names the file and, where there is one, the line. */
final class DeviceFile {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(com.fasterxml.jackson.core.StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final double GIGA = 1e9;
    private static final double TERA = 1e12;
    private static final String EXPECTED =
            "A device is described like this: {\"name\": \"MI300X\", \"mem_bw_gbps\": 5300, "
                    + "\"memory_gb\": 192, \"max_achievable_tflops\": {\"matrix_bf16\": 708, \"vector_fp32\": 81}}.";

    private final String source;
    private final JsonParser parser;
    private String name = "";
    private String origin = "";
    private double bandwidth = Double.NaN;
    private double memory = Double.NaN;
    private double link = Double.NaN;
    private final Map<String, Double> peaks = new HashMap<>();

    private DeviceFile(String source, JsonParser parser) {
        this.source = source;
        this.parser = parser;
    }

    static Device parse(String source, String json) {
        try (JsonParser parser = JSON.createParser(json)) {
            return new DeviceFile(source, parser).read();
        } catch (JsonProcessingException e) {
            throw invalid(source, e.getLocation(), Json.problem(e));
        } catch (IOException e) {
            throw invalid(source, null, String.valueOf(e.getMessage()));
        }
    }

    private Device read() throws IOException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw unexpected("a JSON object");
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            switch (field) {
                case "name" -> name = text(field);
                case "source" -> origin = text(field);
                case "mem_bw_gbps" -> bandwidth = positive(field) * GIGA;
                case "memory_gb" -> memory = positive(field) * GIGA;
                case "host_link_gbps" -> link = positive(field) * GIGA;
                case "max_achievable_tflops" -> peaks(field);
                default -> parser.skipChildren();
            }
        }
        if (parser.nextToken() != null) {
            throw unexpected("the end of the file");
        }
        if (name.isBlank()) {
            throw invalid(source, null, "the device has no name");
        }
        if (peaks.isEmpty() && Double.isNaN(bandwidth)) {
            throw invalid(source, null, "the device has neither max_achievable_tflops nor mem_bw_gbps");
        }
        return new Device(name, bandwidth, memory, link, peaks, origin);
    }

    private void peaks(String field) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw unexpected("an object of peaks for " + field);
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String spec = parser.currentName();
            if (!spec.matches("(matrix|vector)_[a-z0-9_]+")) {
                throw unexpected("matrix_<precision> or vector_<precision>, such as matrix_bf16, not '" + spec + "'");
            }
            parser.nextToken();
            peaks.put(spec, positive(spec) * TERA);
        }
    }

    private String text(String field) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw unexpected("a text for " + field);
        }
        return parser.getText();
    }

    private double positive(String field) throws IOException {
        if (!parser.currentToken().isNumeric() || !(parser.getDoubleValue() > 0)) {
            throw unexpected("a number above zero for " + field);
        }
        return parser.getDoubleValue();
    }

    private UserException unexpected(String expected) {
        return invalid(source, parser.currentTokenLocation(), "expected " + expected);
    }

    private static UserException invalid(String source, @Nullable JsonLocation at, String problem) {
        String place = at == null ? source : source + ":" + at.getLineNr() + ":" + at.getColumnNr();
        return new UserException(ErrorCode.OPTION_INVALID, place + ": " + problem, EXPECTED);
    }
}
