# An image of `lacuna`, at most 150 MB: docker build -t lacuna .
FROM node:24-alpine AS build
RUN apk add --no-cache binutils
WORKDIR /src
COPY . .
RUN deploy/image.sh /app
RUN cp /usr/local/bin/node /app/node && strip /app/node

FROM alpine:3.22
RUN apk add --no-cache libstdc++ && adduser -D -u 10001 lacuna && install -d -o lacuna /data
COPY --from=build /app/node /usr/local/bin/node
COPY --from=build /app/node_modules /app/node_modules
RUN ln -s /app/node_modules/.bin/lacuna /usr/local/bin/lacuna
USER lacuna
WORKDIR /data
VOLUME /data
ENV LACUNA_HOST=0.0.0.0 LACUNA_ADMIN=9090 LACUNA_LOG=json LACUNA_DATA=/data/service.sqlite
EXPOSE 8080
HEALTHCHECK CMD wget -q -O /dev/null http://127.0.0.1:9090/ready
STOPSIGNAL SIGTERM
ENTRYPOINT ["lacuna"]
CMD ["serve", "/spec/spec.md"]
