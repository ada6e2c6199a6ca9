# SPDX-License-Identifier: Apache-2.0
# PyTorch on ROCm 7.0. Arguments and their defaults: docker/README.md.
ARG BASE_IMAGE=rocm/pytorch:rocm7.0_ubuntu24.04_py3.12_pytorch_release_2.7.1
FROM ${BASE_IMAGE}

USER root
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]

# A particular build of ROCm instead of the image's own. All three empty: the image stays as it is.
ARG AMDGPU_INSTALL_URL=
ARG AMDGPU_BUILD=
ARG ROCM_BUILD=
RUN if [[ -n $AMDGPU_INSTALL_URL ]]; then \
      file=/tmp/${AMDGPU_INSTALL_URL##*/}; \
      python3 -c 'import sys, urllib.request; urllib.request.urlretrieve(*sys.argv[1:])' "$AMDGPU_INSTALL_URL" "$file"; \
      case $file in \
      *.deb) apt-get update && apt-get install -y "$file" ;; \
      *.rpm) yum install -y "$file" ;; \
      *) echo "AMDGPU_INSTALL_URL is neither a .deb nor an .rpm" >&2; exit 1 ;; \
      esac; \
      rm "$file"; \
    fi; \
    if [[ -n $AMDGPU_BUILD && -n $ROCM_BUILD ]]; then \
      amdgpu-repo --amdgpu-build="$AMDGPU_BUILD" --rocm-build="$ROCM_BUILD"; \
      if command -v apt-get >/dev/null; then \
        apt-get update && apt-get install -y --only-upgrade rocm-core hip-runtime-amd rocm-hip-runtime rocm-hip-libraries; \
      else \
        yum update -y --skip-broken rocm-core hip-runtime-amd rocm-hip-runtime rocm-hip-libraries; \
      fi; \
    fi

# What the trainer needs beyond PyTorch.
ARG PYTHON_PACKAGES=pyyaml
RUN if [[ -n $PYTHON_PACKAGES ]]; then python3 -m pip install --no-cache-dir $PYTHON_PACKAGES; fi

ENV ROCM_HOME=/opt/rocm \
    PATH=/opt/rocm/bin:${PATH}

WORKDIR /workspace
CMD ["/bin/bash"]
