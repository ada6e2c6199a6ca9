// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {
    private static final String SECRET = "s3cr3tValue9";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SLURM_JWT",
                "CUDA_PASSWD",
                "TORCH_ACCESS_KEY",
                "HIP_PRIVATE_KEY",
                "NCCL_AUTH",
                "HF_TOKEN",
                "HFTOKEN",
                "wandb.api_key",
                "WANDB_API_KEY",
                "api-key",
                "apikey",
                "ApiKey",
                "APIKEY",
                "AWS_SECRET_ACCESS_KEY",
                "AWS_ACCESS_KEY_ID",
                "AWS_SESSION_TOKEN",
                "GITHUB_PAT",
                "GH_TOKEN",
                "githubPat",
                "PGPASSWORD",
                "MYSQL_PWD",
                "DB_PASS",
                "DBPASS",
                "dbPassword",
                "SSH_PASSPHRASE",
                "ssh_pass_phrase",
                "PASSCODE",
                "AUTHORIZATION",
                "X-Auth-Token",
                "authToken",
                "OAUTH_CLIENT_SECRET",
                "client_secret",
                "CREDENTIALS",
                "GOOGLE_APPLICATION_CREDENTIALS",
                "db_creds",
                "SESSION_COOKIE",
                "sessionid",
                "SESSION",
                "SENTRY_DSN",
                "DATABASE_DSN",
                "dsn",
                "PRIVATE_REGISTRY",
                "BEARER",
                "SIGNATURE",
                "AZURE_STORAGE_CONNECTION_STRING",
                "conn_str",
                "SLACK_WEBHOOK",
                "AZURE_SAS",
                "OTP",
                "user_pin",
                "csrf",
                "password_salt",
                "SSH_AUTH_SOCK",
                "KEYRING",
                "ENCRYPTION_KEY",
                "license.key",
                "MY_PW",
                "--token",
                "secrets.value",
                "NPM_TOKEN",
                "TOKENIZER_API_KEY",
                "tokenizer_auth_token",
                "tokenizerApiKey",
                "XDG_SESSION_TOKEN",
                "DBUS_SESSION_COOKIE",
                "commonKey",
                "compassword"
            })
    void namesThatSpeakOfSecrets(String name) {
        assertThat(Secrets.isSecretName(name)).isTrue();
        assertThat(new Secrets().value(name, SECRET)).isEqualTo("***");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PATH",
                "LD_LIBRARY_PATH",
                "NCCL_DEBUG",
                "NCCL_MAX_NCHANNELS",
                "training.max_steps",
                "output_dir",
                "author",
                "TOKENIZERS_PARALLELISM",
                "tokenizer",
                "compatible",
                "pattern",
                "spatial",
                "dispatch",
                "keyboard",
                "patience",
                "XDG_SESSION_TYPE",
                "XDG_SESSION_PATH",
                "DBUS_SESSION_BUS_ADDRESS",
                "tokenized_dir",
                "tokenization",
                "monkey_patch_level",
                "bypass",
                "passes",
                "signal",
                "design",
                "spin",
                "assign"
            })
    void namesThatDoNot(String name) {
        assertThat(Secrets.isSecretName(name)).isFalse();
    }

    @Test
    void switchesAndCountsAreNoSecrets() {
        Secrets secrets = new Secrets();

        assertThat(secrets.value("model.max_tokens", "4096")).isEqualTo("4096");
        assertThat(secrets.value("num_key_value_heads", "8")).isEqualTo("8");
        assertThat(secrets.value("use_auth_token", "true")).isEqualTo("true");
        assertThat(secrets.value("pin", "123456")).isEqualTo("***");
        assertThat(secrets.value("password", "123456")).isEqualTo("***");
        assertThat(secrets.words(List.of("--max-tokens", "512", "--tokenizer", "gpt2", "google-auth==2.40.3")))
                .containsExactly("--max-tokens", "512", "--tokenizer", "gpt2", "google-auth==2.40.3");
        assertThat(secrets.found()).containsExactlyInAnyOrder("123456");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--api-key=s3cr3tValue9",
                "--api_key=s3cr3tValue9",
                "-Dapi.key=s3cr3tValue9",
                "+wandb.api_key=s3cr3tValue9",
                "++env.HF_TOKEN=s3cr3tValue9",
                "wandb.api_key=s3cr3tValue9,with=more s3cr3tValue9",
                "wandb.api_key:s3cr3tValue9",
                "HF_TOKEN=s3cr3tValue9",
                "--env=HF_TOKEN=s3cr3tValue9",
                "X-Api-Key: s3cr3tValue9 s3cr3tValue9",
                "Authorization: Bearer s3cr3tValue9",
                "Authorization: Basic s3cr3tValue9",
                "{\"api_key\":\"s3cr3tValue9\",\"b\":1}",
                "{\"api_key\": \"a\\\"s3cr3tValue9\"}",
                "{api_key: s3cr3tValue9}",
                "{'password': 's3cr3tValue9'}",
                "auth={user: a, pass: s3cr3tValue9}",
                "https://user:s3cr3tValue9@example.org/x",
                "https://s3cr3tValue9@example.org/x",
                "https://user:p@s3cr3tValue9@example.org/x",
                "user:s3cr3tValue9@example.org",
                "postgresql+asyncpg://u:s3cr3tValue9@h:5432/db?x=1",
                "https://example.org/x?access_token=s3cr3tValue9&b=1",
                "https://example.org/x?b=1&sig=s3cr3tValue9",
                "https://example.org/#id_token=s3cr3tValue9",
                "https://hooks.slack.com/services/T0/B0/s3cr3tValue9",
                "cd x && HF_TOKEN=s3cr3tValue9 python train.py",
                "python train.py --api-key s3cr3tValue9 --steps 3",
                "python train.py --api-key 's3cr3tValue9 s3cr3tValue9'",
                "export TOKEN=\"s3cr3tValue9 s3cr3tValue9\"; run",
                "curl -H 'Authorization: Bearer s3cr3tValue9' x",
                "curl -d \"{\\\"token\\\": \\\"s3cr3tValue9\\\"}\" x",
                "token => s3cr3tValue9",
                "Bearer s3cr3tValue9",
                "hf_s3cr3tValue9s3cr3tValue9",
                "x ghp_s3cr3tValue9s3cr3tValue9 y",
                "eyJs3cr3tValue9.eyJs3cr3tValue9.s3cr3tValue9",
                "-----BEGIN RSA PRIVATE KEY-----\ns3cr3tValue9\n-----END RSA PRIVATE KEY-----"
            })
    void formsInWhichTheyAppear(String word) {
        Secrets secrets = new Secrets();

        assertThat(secrets.words(List.of(word)).getFirst())
                .doesNotContain(SECRET)
                .contains("***");
        assertThat(secrets.text("before " + word)).doesNotContain("3tValue9 ").startsWith("before ");
        assertThat(secrets.found()).isNotEmpty();
    }

    @Test
    void optionsHaveTheirValuesBehindThem() {
        List<String> words = List.of(
                "train.py",
                "--api-key",
                SECRET,
                "-H",
                "X-Api-Key: " + SECRET,
                "-u",
                "me:" + SECRET,
                "--lr",
                "0.1",
                "--no-auth",
                "--verbose");

        assertThat(new Secrets().words(words))
                .containsExactly(
                        "train.py",
                        "--api-key",
                        "***",
                        "-H",
                        "X-Api-Key: ***",
                        "-u",
                        "***",
                        "--lr",
                        "0.1",
                        "--no-auth",
                        "--verbose");
    }

    @Test
    void aValueMayBeginWithADash() {
        assertThat(new Secrets().words(List.of("--password", "-dashpw12345", "--no-auth", "-v", "--token", "--x")))
                .containsExactly("--password", "***", "--no-auth", "-v", "--token", "--x");
        assertThat(new Secrets().text("run --password -dashpw12345 --no-auth -v"))
                .isEqualTo("run --password *** --no-auth -v");
    }

    @Test
    void whatIsNotSecretStaysAsItIs() {
        for (String text : List.of(
                "training.max_steps=100",
                "profiling.tensorboard=false",
                "--config",
                "conf/a:b.yaml",
                "https://example.org:8080/x?b=1",
                "torchrun --nproc_per_node 8 train.py --config c.yaml",
                "12:30:45",
                "{\"a\": [1, 2], \"b\": \"c\"}",
                "hf_transfer==0.1.9",
                "")) {
            assertThat(new Secrets().words(List.of(text))).containsExactly(text);
        }
    }

    @Test
    void longTextsTakeTimeInProportionToTheirLength() {
        for (String part :
                List.of("a={", "key=", "key=\"", "--key ", "a://", "k='\\\"", "_pat", "x:yyy", "user:aaa@", " ")) {
            String text = part.repeat(300_000 / part.length());

            assertThat(new Secrets().text(text)).isNotNull();
        }
    }
}
