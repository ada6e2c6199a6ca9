// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import static dev.lockstep.testkit.TestTraces.slice;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.TestTraces;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArgumentListTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"32,9216;\\r\\n9216,4096\"                  | [[32, 9216], [9216, 4096]]",
                "\"32,3;\\r\\n64;\\r\\n;\\r\\n\"              | [[32, 3], [64], [], []]",
                "\"4096\"                                    | [[4096]]",
                "\";\\r\\n\"                                  | [[], []]",
                "\"float\"                                   | [\"float\"]",
                "\"c10::Half;\\r\\nlong int;\\r\\n;\\r\\nScalar\" | [\"c10::Half\", \"long int\", \"\", \"Scalar\"]",
                "\"1 2;3\"                                   | [\"1 2\", \"3\"]",
                "\"1,,2\"                                    | [\"1,,2\"]",
                "\"[[1,2]]\"                                 | \"[[1,2]]\"",
                "\"\"                                        | \"\"",
                "[[1,2],[]]                                  | [[1, 2], []]",
            })
    void listsInOneTextBecomeJson(String written, String json) {
        byte[] bytes = (written + " ").getBytes(StandardCharsets.UTF_8);
        assertThat(new String(ArgumentList.respell(bytes, 0, written.length()), StandardCharsets.UTF_8))
                .isEqualTo(json);
    }

    @Test
    void operatorsOfAscendHaveShapesAndTypes() {
        Trace trace = TestTraces.of("""
            {"ph": "X", "name": "aten::mm", "pid": 1, "tid": 1, "ts": "10.511", "dur": 28.956, "cat": "cpu_op",
             "args": {"Sequence number": -1, "Fwd thread id": 0, "Input Dims": "32,9216;\\r\\n9216,4096", "Input type": "float;\\r\\nfloat"}}
            """);
        OpDetails details = trace.view(OpDetails.KEY);
        assertThat(details).isNotNull();
        int row = details.of(slice(trace, "aten::mm"));
        assertThat(trace.strings().get(details.inputDims(row))).isEqualTo("[[32, 9216], [9216, 4096]]");
        assertThat(trace.strings().get(details.inputTypes(row))).isEqualTo("[\"float\", \"float\"]");
    }

    /** Reports and lists hand structured arguments on as JSON. */
    @Test
    void argumentsThatAreNotQuiteJsonBecomeJson() {
        Trace trace = TestTraces.parse("""
            {"traceEvents": [
            {"ph": "X", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 10, "dur": 2, "cat": "cpu_op",
             "args": {"Input Dims": [[1, 007]], "Input type": -Infinity}},
            {"ph": "C", "name": "memory", "pid": 1, "ts": 10, "args": {"used": NaN, "free": 1}}]}
            """);
        OpDetails details = trace.view(OpDetails.KEY);
        assertThat(details).isNotNull();
        int row = details.of(slice(trace, "aten::mm"));
        assertThat(trace.strings().get(details.inputDims(row))).isEqualTo("[[1, \"007\"]]");
        assertThat(trace.strings().get(details.inputTypes(row))).isEqualTo("[\"-Infinity\"]");
    }
}
