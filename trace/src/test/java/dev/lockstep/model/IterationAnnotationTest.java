// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.IterationAnnotation.Format;
import dev.lockstep.model.IterationAnnotation.Phase;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IterationAnnotationTest {
    private static IterationAnnotation parse(String name) {
        return Objects.requireNonNull(IterationAnnotation.parse(name), name);
    }

    @Test
    void vllmsDetailedFormHasSumsOfBothPhases() {
        IterationAnnotation a = parse("execute_6147_context_2(sq6144sk7144sqsq20971520sqsk23019520)"
                + "_generation_3(sq3sk6144sqsq3sqsk6144)");
        assertThat(a.format()).isEqualTo(Format.VLLM_DETAILED);
        assertThat(a.context()).isEqualTo(new TokenCounts(2, 6144, 7144, 20971520, 23019520));
        assertThat(a.generation()).isEqualTo(new TokenCounts(3, 3, 6144, 3, 6144));
        assertThat(a.batch()).isEqualTo(6147);
        assertThat(a.requests()).isEqualTo(5);
        assertThat(a.phase()).isEqualTo(Phase.MIXED);
    }

    @Test
    void vllmsNativeFormCountsRequestsAndTokens() {
        IterationAnnotation a = parse("execute_context_2(6144)_generation_0(0)");
        assertThat(a.format()).isEqualTo(Format.VLLM_NATIVE);
        assertThat(a.context()).isEqualTo(new TokenCounts(2, 6144, 0, 0, 0));
        assertThat(a.generation()).isEqualTo(TokenCounts.NONE);
        assertThat(a.phase()).isEqualTo(Phase.PREFILL);
        assertThat(a.tokens()).isEqualTo(6144);
    }

    @Test
    void sglangsDecodeHasOneTokenForEachRequestWhereItSaysNothingElse() {
        IterationAnnotation a = parse("step[DECODE bs=64]");
        assertThat(a.format()).isEqualTo(Format.SGLANG_NATIVE);
        assertThat(a.generation()).isEqualTo(new TokenCounts(64, 64, 0, 0, 0));
        assertThat(a.batch()).isEqualTo(64);
        assertThat(a.phase()).isEqualTo(Phase.DECODE);
    }

    @Test
    void sglangsExtendIsPrefill() {
        IterationAnnotation a = parse("step[EXTEND bs=2 toks=14721]");
        assertThat(a.context()).isEqualTo(new TokenCounts(2, 14721, 0, 0, 0));
        assertThat(a.batch()).isEqualTo(14721);
        assertThat(a.phase()).isEqualTo(Phase.PREFILL);
    }

    @Test
    void sglangsDetailedFormsTellPhasesApart() {
        IterationAnnotation extend = parse("step[EXTEND bs=2 toks=5 c_sq=5 c_sqsq=13 c_sqsk=13 c_sk=5]");
        assertThat(extend.format()).isEqualTo(Format.SGLANG_DETAILED);
        assertThat(extend.context()).isEqualTo(new TokenCounts(2, 5, 5, 13, 13));
        assertThat(extend.generation()).isEqualTo(TokenCounts.NONE);
        IterationAnnotation decode = parse("step[DECODE bs=64 g_sq=128 g_sqsq=256 g_sqsk=262144 g_sk=131072]");
        assertThat(decode.generation()).isEqualTo(new TokenCounts(64, 128, 131072, 256, 262144));
        assertThat(decode.batch()).isEqualTo(128);
        IterationAnnotation mixed =
                parse("step[MIXED bs=2 c=1 g=1 c_sq=5 c_sk=8 c_sqsq=25 c_sqsk=40 g_sq=1 g_sk=12 g_sqsq=1 g_sqsk=12]");
        assertThat(mixed.context()).isEqualTo(new TokenCounts(1, 5, 8, 25, 40));
        assertThat(mixed.generation()).isEqualTo(new TokenCounts(1, 1, 12, 1, 12));
        assertThat(mixed.phase()).isEqualTo(Phase.MIXED);
    }

    @Test
    void atomsFormsLeavePaddingOut() {
        IterationAnnotation decode = parse("decode[bs=117/128 tok=117 d=117]");
        assertThat(decode.format()).isEqualTo(Format.ATOM_NATIVE);
        assertThat(decode.generation()).isEqualTo(new TokenCounts(117, 117, 0, 0, 0));
        IterationAnnotation prefill =
                parse("prefill[bs=2 tok=14721 ctx=[7803, 6918] sqsq=108745533 sqsk=108745533 sk=14721]");
        assertThat(prefill.format()).isEqualTo(Format.ATOM_DETAILED);
        assertThat(prefill.context()).isEqualTo(new TokenCounts(2, 14721, 14721, 108745533, 108745533));
        assertThat(prefill.batch()).isEqualTo(14721);
    }

    @Test
    void diffusionCountsImages() {
        IterationAnnotation a = parse("execute_diffusion_4_256x512");
        assertThat(a.format()).isEqualTo(Format.DIFFUSION);
        assertThat(a.batch()).isEqualTo(4);
        assertThat(a.phase()).isEqualTo(Phase.DIFFUSION);
        assertThat(a.tokens()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ProfilerStep#3",
                "execute_model",
                "execute_context_a(1)_generation_0(0)",
                "execute_1_context_1(sq1sk1)_generation_0(sq0sk0)",
                "step[IDLE bs=0]",
                "step[DECODE bs=",
                "step[DECODE something]",
                "decode",
                "decode[bs=1",
                "model_inference",
                ""
            })
    void otherNamesMarkNothing(String name) {
        assertThat(IterationAnnotation.parse(name)).isNull();
    }

    @Test
    void numbersThatCannotBeTrueCountAsNone() {
        assertThat(parse("step[DECODE bs=99999999999999999999]").batch()).isZero();
    }
}
