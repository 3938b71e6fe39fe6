# The image names its parts by arguments, so that a site can use its own mirror:
#   BASE             any image with Python 3.11.
#   TORCH_INDEX_URL  empty: torch comes from the index pip is set up with. Set to the address of an index that offers
#                    builds for the CPU alone, it is asked as well, and pip prefers such a build of the same version
#                    (its version carries a local label). That makes the image several gigabytes smaller.
ARG BASE=python:3.11-slim

FROM ${BASE} AS packages
ARG TORCH_INDEX_URL=""
COPY requirements.txt requirements.lock /tmp/
RUN if [ -z "${TORCH_INDEX_URL}" ]; then \
        echo "NOTE: without TORCH_INDEX_URL torch may come with CUDA: several gigabytes to download and to keep." \
        && echo "      See 'Hosting' in README.md for the build for the CPU alone, which is all the app needs."; \
    fi
# All but torch as it was locked, byte for byte; torch, whose builds differ from index to index, at the version asked for.
RUN python -m venv /opt/tropviz \
    && /opt/tropviz/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes --no-deps \
        --requirement /tmp/requirements.lock \
    && /opt/tropviz/bin/pip install --no-cache-dir --disable-pip-version-check \
        ${TORCH_INDEX_URL:+--extra-index-url "${TORCH_INDEX_URL}"} --requirement /tmp/requirements.txt
# What only compiling against a package or testing it needs: about 300 MB. tests/test_image.py runs the pages without.
# hadolint ignore=DL3003
RUN cd /opt/tropviz/lib/python3*/site-packages \
    && mv torch/bin/torch_shm_manager torch/ && rm -rf torch/bin && mkdir torch/bin && mv torch/torch_shm_manager torch/bin/ \
    && rm -rf torch/test torch/include torch/share/cmake torch/lib/*.a \
        pyarrow/include pyarrow/src pyarrow/tests pandas/tests shapely/tests \
        scipy/*/tests scipy/*/*/tests numpy/tests numpy/*/tests \
        sympy/*/tests sympy/*/*/tests networkx/tests networkx/*/tests networkx/*/*/tests \
        pip pip-*.dist-info setuptools setuptools-*.dist-info

# Only the finished environment and the app go on: no cache, no build tools, no requirements.
FROM ${BASE}
COPY --from=packages /opt/tropviz /opt/tropviz
WORKDIR /app
COPY app.py ./
COPY .streamlit .streamlit
COPY assets assets
COPY pages pages
COPY tropviz tropviz
# Two arenas: with one for every thread a server that thirty people have used holds 55 MB that it does not need.
ENV PATH=/opt/tropviz/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    HOME=/tmp \
    MALLOC_ARENA_MAX=2 \
    USER=tropviz \
    TROPVIZ_LOG=1
USER 10001:10001
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; p = os.environ.get('STREAMLIT_SERVER_BASE_URL_PATH', '').strip('/'); r.urlopen('http://127.0.0.1:8501/' + p + '/' * bool(p) + '_stcore/health', timeout=4)"]
CMD ["streamlit", "run", "app.py", "--server.headless=true", "--server.address=0.0.0.0", "--server.port=8501"]
