// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvironmentJsonTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "env | {\"A\": \"v1\", \"B\": 2, \"C\": \"\", \"D\": null} | {\"A\":\"***\",\"B\":\"***\",\"C\":\"\",\"D\":null}",
                "metadata | {\"os\": {\"env_vars\": {\"A\": \"v1\"}}, \"n\": 1.50} | {\"os\":{\"env_vars\":{\"A\":\"***\"}},\"n\":1.50}",
                "environ | [\"A=v1\", \"B=v2\"] | [\"A=***\",\"B=***\"]",
                "Environment | [{\"name\": \"A\", \"value\": \"v1\"}] | [{\"name\":\"***\",\"value\":\"***\"}]",
                "environment | \"A=v1\\nB=v2\" | \"***\"",
                "env | \"{\\\"A\\\": \\\"v1\\\"}\" | \"***\"",
                "x | {\"all\": {\"HOME\": \"/root\", \"ZZ\": \"v1\"}} | {\"all\":{\"HOME\":\"***\",\"ZZ\":\"***\"}}",
                "x | {\"wandb_api_key\": \"v1\", \"lr\": 0.1} | {\"wandb_api_key\":\"***\",\"lr\":0.1}",
                "API_TOKEN | \"v1\" | \"***\"",
                "command | [\"train\", \"--api-key\", \"v1\", \"--x=1\"] | [\"train\",\"--api-key\",\"***\",\"--x=1\"]",
                "command | \"train --api-key v1 --x=1\" | \"train --api-key *** --x=1\"",
                "x | {\"url\": \"https://me:v1@h/p\"} | {\"url\":\"https://***@h/p\"}",
                "x | {\"secrets\": {\"a\": [\"v1\"]}} | {\"secrets\":{\"a\":[\"***\"]}}",
                "password | 13572468 | \"***\"",
                "api_keys | [\"v1\", [\"v2\"]] | [\"***\",[\"***\"]]",
                "x | {\"passphrase\": [1, 2, \"v1\"]} | {\"passphrase\":[\"***\",\"***\",\"***\"]}",
                "note | \"{\\\"env\\\":{\\\"X\\\":\\\"v1\\\"}}\" | \"{\\\"env\\\":{\\\"X\\\":\\\"***\\\"}}\""
            })
    void valuesAreLeftOutAndNamesAreKept(String name, String json, String expected) {
        EnvironmentJson without = EnvironmentJson.of(name, json);

        assertThat(without.json()).isEqualTo(expected);
        assertThat(without.values()).isPositive();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "environment | \"staging\"",
                "torch_env_info | {\"cuda\": \"12.4\", \"pip\": [\"google-auth==2.40.3\", \"hf_transfer==0.1.9\"]}",
                "num_tokens | 4096",
                "tokens | [1, 2, 3]",
                "note | \"{\\\"a\\\": [1, 2]}\"",
                "os_release | {\"NAME\": \"Ubuntu\", \"ID\": \"ubuntu\"}",
                "distributedInfo | {\"backend\": \"nccl\", \"rank\": 0, \"pg_config\": [{\"pg_name\": \"0\"}]}",
                "x | {\"max_tokens\": 512, \"tokenizer\": \"gpt2\", \"num_key_value_heads\": 8, \"nan\": NaN}"
            })
    void whatIsNoEnvironmentStaysAsItIsSpelt(String name, String json) {
        EnvironmentJson same = EnvironmentJson.of(name, json);

        assertThat(same.json()).isEqualTo(json);
        assertThat(same.values()).isZero();
    }

    @Test
    void anEventSaysByItsNameThatItTellsTheEnvironment() {
        EnvironmentJson without =
                EnvironmentJson.ofEvent("{\"ph\":\"M\",\"pid\":1,\"name\":\"environment\",\"args\":{\"A\":\"v1\"}}");

        assertThat(without.json())
                .isEqualTo("{\"ph\":\"M\",\"pid\":1,\"name\":\"environment\",\"args\":{\"A\":\"***\"}}");
        assertThat(EnvironmentJson.ofEvent("{\"ph\":\"M\",\"name\":\"thread_name\",\"args\":{\"name\":\"main\"}}")
                        .values())
                .isZero();
    }

    @Test
    void depthCostsNoStackAndDamageHidesNothing() {
        String deep = "{\"a\":".repeat(200_000) + "{\"env\":{\"A\":\"v1\"}}" + "}".repeat(200_000);

        assertThat(EnvironmentJson.of("x", deep).json()).doesNotContain("v1");
        assertThat(EnvironmentJson.of("env", "{\"A\":\"v1\", oops").json()).doesNotContain("v1");
        assertThat(EnvironmentJson.of("x", "{\"api_key\":\"v1\", oops").json()).doesNotContain("v1");
    }
}
