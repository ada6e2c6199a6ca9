// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class NameTestTest {
    @Test
    void eachNameIsJudgedOnceHoweverManySlicesHaveIt() {
        Trace trace = trace("gemm", "copy", "gemm", "copy", "gemm");
        List<String> judged = new ArrayList<>();
        NameTest names = new NameTest(trace, name -> {
            judged.add(name);
            return name.equals("gemm");
        });

        List<Boolean> meant = new ArrayList<>();
        for (int slice = 0; slice < trace.slices().size(); slice++) {
            meant.add(names.isMeant(slice));
        }

        assertThat(meant).containsExactly(true, false, true, false, true);
        assertThat(judged).containsExactly("gemm", "copy");
    }

    @Test
    void aPatternMeansNamesInWhichItIsFound() {
        NameTest names = new NameTest(trace("ampere_gemm_fp16", "memcpy"), Pattern.compile("gemm"));

        assertThat(names.isMeant(0)).isTrue();
        assertThat(names.isMeant(1)).isFalse();
    }

    private static Trace trace(String... names) {
        EventText events = new EventText();
        for (int i = 0; i < names.length; i++) {
            events.op(names[i], i * 10L, 5);
        }
        return TestTraces.of(events);
    }
}
