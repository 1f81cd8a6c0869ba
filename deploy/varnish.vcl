# Varnish in front of an S3 store: a cache of 30 s, old data while the store is down, and exactly the answers of docs/api.md.
# Copy it to /etc/varnish/default.vcl. Written for Varnish 7. It speaks no TLS, so two files stand beside it: hitch.conf, which does
# so before it, and varnish-service.conf, which says where both meet. A store that takes HTTPS only needs a tunnel (docs/publish/fronts.md).
#
# To change (docs/publish/fronts.md explains): status.example; the store and the bucket (marked STORE).
vcl 4.1;
import std;

backend store {
    # STORE: address and port, and the name it expects. A name is resolved once, when this file is loaded, and must have one address
    # of each kind at most: "systemctl reload varnish" asks again, and keeps what is in the cache.
    .host = "127.0.0.1";
    .port = "7480";
    .host_header = "127.0.0.1:7480";
    .connect_timeout = 1s;
    .first_byte_timeout = 3s;
    .between_bytes_timeout = 3s;
    # A store that hangs must not make every reader wait: after three failures out of five we serve what we have. The request
    # is the list, which every reader may read. Until it is first published the store counts as down: 503, not 404.
    .probe = {
        # STORE: the bucket, and what the list is called in the store (with .json for keys=suffixed).
        .url = "/status-public/api/v1/status";
        .interval = 2s;
        .timeout = 2s;
        .window = 5;
        .threshold = 3;
        .initial = 3;
    }
}

# Whoever asks without TLS is sent on to this name, not to the one that was asked for. Certbot shows on the same port that the name
# is yours: certbot --standalone --http-01-port 8402.
backend certbot {
    .host = "127.0.0.1";
    .port = "8402";
}
sub vcl_recv {
    if (local.socket == "http") {
        if (req.url ~ "^/\.well-known/acme-challenge/") {
            set req.backend_hint = certbot;
            return (pipe);
        }
        return (synth(301, "https://status.example" + req.url));
    }
}

# Reports of users, monitors of owners and subscriptions of visitors, for an intake on this machine (docs/operations.md, Reports). Take these lines in, and start it with
# proxy 127.0.0.1/32. They stand before the others of the same names, which give 405 to every POST. X-Forwarded-For is set and
# not added to: what a client sends of it is a lie. What stands before Varnish has to tell who asks (Hitch: PROXY protocol).

# backend intake {
#     .host = "127.0.0.1";
#     .port = "8081";
#     .connect_timeout = 1s;
#     # It answers within some milliseconds; a look for the proof of an owner takes up to 20 s.
#     .first_byte_timeout = 30s;
# }
# sub vcl_recv {
#     if (req.url ~ "^/(report/|(monitors|push)([/?]|$))") {
#         set req.backend_hint = intake;
#         set req.http.X-Forwarded-For = client.ip;
#         return (pass);
#     }
# }
# sub vcl_backend_fetch {
#     if (bereq.url ~ "^/(report/|(monitors|push)([/?]|$))") { return (fetch); }
# }
# sub vcl_backend_response {
#     # The intake has headers of its own, as they are: its cache control, and who may read.
#     if (bereq.url ~ "^/(report/|(monitors|push)([/?]|$))") { return (deliver); }
# }
# sub vcl_deliver {
#     if (req.url ~ "^/(report/|(monitors|push)([/?]|$))") {
#         if (local.socket == "https") { set resp.http.Strict-Transport-Security = "max-age=31536000"; }
#         unset resp.http.Age;
#         unset resp.http.X-Varnish;
#         unset resp.http.Via;
#         return (deliver);
#     }
# }
# sub vcl_synth {
#     # No intake. Never once more: a report that was taken must not be sent again.
#     if (req.url ~ "^/(report/|(monitors|push)([/?]|$))") {
#         call common_headers;
#         set resp.status = 503;
#         set resp.http.Cache-Control = "no-store";
#         set resp.http.Content-Type = "application/json; charset=utf-8";
#         set resp.http.Retry-After = "10";
#         synthetic("""{"error":"temporarily unavailable"}""");
#         return (deliver);
#     }
# }

sub vcl_recv {
    if (req.restarts == 0) {
        # Ours alone: whether the page about a missing path is meant, and whether what has expired may be served.
        unset req.http.X-Status-Nothing;
        unset req.http.X-Status-Expired;
    }
    if (req.method == "OPTIONS") { return (synth(204)); }
    if (req.method != "GET" && req.method != "HEAD") { return (synth(405)); }

    # No parameters are defined, so the query is no part of what is asked for, nor of what is kept.
    set req.url = regsub(req.url, "\?.*$", "");
    # The English index is a folder.
    if (req.url == "/en") { return (synth(301, "/en/")); }
    # Nothing but what stands here is ever asked of the store. The path is raw: Varnish decodes and tidies nothing.
    if (!req.http.X-Status-Nothing
        && req.url !~ "^/api/v1/status(/[a-z0-9][a-z0-9-]{0,199})?$"
        && req.url !~ "^/api/m/[A-Za-z0-9_-]{1,64}/badge(-(24h|7d|90d)\.svg|\.(svg|png|json))$"
        # The website: the index in each language, pages, feeds, pictures of shared links, what robots ask for, what pages use.
        && req.url !~ "^/(en/)?(monitor/)?$"
        && req.url !~ "^/(en/)?(status/[a-z0-9][a-z0-9-]{0,199}(/outages/[0-9]{12})?|m/[A-Za-z0-9_-]{1,64}|api|about|accuracy|data|outages|day/[0-9]{4}-[0-9]{2}-[0-9]{2}|monitor/new)$"
        && req.url !~ "^/((en/)?feed|feed/[a-z0-9][a-z0-9-]{0,199}|feed/m/[A-Za-z0-9_-]{1,64})\.atom$"
        && req.url !~ "^/card(/[a-z0-9][a-z0-9-]{0,199}\.[a-z_]{2,20}(\.[0-9]{12})?|/m/[A-Za-z0-9_-]{1,64})?\.png$"
        && req.url !~ "^/badge(/[a-z0-9][a-z0-9-]{0,199})?\.svg$"
        && req.url !~ "^/(checked\.svg|openapi\.json|names\.json|accuracy/v1\.json|evidence/v1/(raw/)?[a-z0-9][a-z0-9-]{0,199}\.json|sitemap\.xml|(operator|robots)\.txt|manifest\.webmanifest)$"
        # Documents for other programs.
        && req.url !~ "^/(metrics|(changes|operators)/v1\.json|history/v1/(m/[A-Za-z0-9_-]{1,64}|[a-z0-9][a-z0-9-]{0,199})\.json|outages/v1/(index|[0-9]{4}-[0-9]{2}(-[0-9]{2})?|[a-z0-9][a-z0-9-]{0,199}/[0-9]{12})\.json|api/v2/(summary|status|components|incidents|incidents/unresolved|scheduled-maintenances(/(active|upcoming))?)\.json|badge(/[a-z0-9][a-z0-9-]{0,199})?\.json)$"
        # The archive: its list, and files that never change.
        && req.url !~ "^/archive/v1/(index|datapackage)\.json$"
        && req.url !~ "^/archive/v1/([0-9]{4}-[0-9]{2}-[0-9]{2}/checks\.(parquet|ndjson\.gz)|[0-9]{4}-[0-9]{2}/(changes|reports)\.csv)$"
        && req.url !~ "^/(site\.css|site\.js|owners\.js|follow\.js|push\.js|embed\.js|favicon\.svg|icon-(192|512|maskable)\.png)$"
    ) {
        # What answers a path that leads to nothing: a page for readers; JSON below /api/, for the metrics, and where the last segment has a dot.
        if (req.url ~ "^/(api/|metrics$)" || req.url ~ "\.[^/]*$") { return (synth(404)); }
        call missing_page;
    }

    # The store would answer an Origin, and the cache keep that for everybody. The others are none of its business.
    unset req.http.Origin;
    unset req.http.Access-Control-Request-Method;
    unset req.http.Access-Control-Request-Headers;
    unset req.http.Cookie;
    unset req.http.Authorization;
    unset req.http.Range;
    unset req.http.Referer;
    unset req.http.User-Agent;
    unset req.http.Accept-Language;
    # Ceph answers what is missing with broken HTTP to whoever takes HTML, as browsers do.
    unset req.http.Accept;

    # What has expired is served only when the store cannot be asked: found out just now (vcl_synth), or by the probe.
    if (!req.http.X-Status-Expired && std.healthy(req.backend_hint)) {
        set req.grace = 0s;
    } else {
        set req.grace = 1d;
    }
    return (hash);
}

# From here on the page is asked for that says so. Its name is no path that a client can ask for.
sub missing_page {
    set req.http.X-Status-Nothing = "1";
    set req.url = "/404.html";
}

# By path alone: the same object, whatever name the front is called by.
sub vcl_hash {
    hash_data(req.url);
    return (lookup);
}

sub vcl_backend_fetch {
    # For keys=suffixed: documents have .json in the store, pages .html, and the others their extension anyway.
    # if (bereq.url ~ "^/api/v1/") { set bereq.url = bereq.url + ".json"; }
    # if (bereq.url ~ "^/(en/)?(status/.*|m/.*|day/.*|api|about|accuracy|data|outages|monitor/new)$") { set bereq.url = bereq.url + ".html"; }
    if (bereq.url ~ "/$") { set bereq.url = bereq.url + "index.html"; }
    # STORE: the bucket (path style), or nothing with the bucket in host_header, then any prefix of the documents.
    set bereq.url = "/status-public" + bereq.url;
    unset bereq.http.Host;
    unset bereq.http.X-Forwarded-For;
    unset bereq.http.Via;
    unset bereq.http.X-Status-Nothing;
    unset bereq.http.X-Status-Expired;
    return (fetch);
}

sub vcl_backend_response {
    # The store says 403 of a missing key to whoever may not list (and nobody should list). See vcl_backend_error.
    if (beresp.status == 403 || beresp.status == 404) { return (error(404)); }
    # A store that is broken or busy: nothing of it is kept, and nothing shown.
    if (beresp.status != 200) { return (abandon); }

    # 30 s here. The browser gets Age, so for it nothing is older than 60 s.
    set beresp.ttl = 30s;
    set beresp.grace = 1d;
    set beresp.keep = 0s;
    set beresp.uncacheable = false;
    if (beresp.http.Content-Type ~ "json|svg|text|xml") { set beresp.do_gzip = true; }

    # What the store says of itself.
    unset beresp.http.Set-Cookie;
    unset beresp.http.Vary;
    unset beresp.http.Expires;
    unset beresp.http.Age;
    unset beresp.http.Access-Control-Allow-Origin;
    unset beresp.http.Access-Control-Allow-Methods;
    unset beresp.http.Access-Control-Allow-Headers;
    unset beresp.http.Access-Control-Allow-Credentials;
    unset beresp.http.Access-Control-Expose-Headers;
    unset beresp.http.Access-Control-Max-Age;
    unset beresp.http.x-amz-request-id;
    unset beresp.http.x-amz-id-2;
    unset beresp.http.x-amz-version-id;
    unset beresp.http.x-amz-storage-class;
    unset beresp.http.x-amz-server-side-encryption;
    unset beresp.http.x-amz-meta-gen;
    unset beresp.http.x-rgw-object-type;
    return (deliver);
}

sub vcl_backend_error {
    # No answer at all.
    if (beresp.status != 404) { return (abandon); }
    # A new service appears after 10 s.
    set beresp.ttl = 10s;
    set beresp.grace = 0s;
    set beresp.keep = 0s;
    set beresp.http.Content-Type = "application/json; charset=utf-8";
    synthetic("""{"error":"not found"}""");
    return (deliver);
}

# On every answer: those of the store.
sub vcl_deliver {
    if (resp.status == 404 && !req.http.X-Status-Nothing && req.url !~ "^/(api/|metrics$)" && req.url !~ "\.[^/]*$") {
        call missing_page;
        return (restart);
    }
    call common_headers;
    set resp.http.Cache-Control = "max-age=60";
    if (req.http.X-Status-Nothing) {
        if (resp.status == 200) {
            set resp.status = 404;
            unset resp.http.ETag;
            unset resp.http.Last-Modified;
            call page_headers;
        }
        return (deliver);
    }
    if (resp.status == 200 || resp.status == 304) {
        if (req.url ~ "^/(site\.css|site\.js|owners\.js|follow\.js|push\.js|embed\.js|favicon\.svg|icon-(192|512|maskable)\.png)$") {
            # Pages name their style and script by digest, and the others change as seldom.
            set resp.http.Cache-Control = "max-age=3600";
        } elsif (req.url ~ "^/archive/v1/[0-9]") {
            set resp.http.Cache-Control = "public, max-age=31536000, immutable";
        }
        # What can be opened by itself, as a document that could run scripts.
        if (req.url ~ "\.svg$") {
            set resp.http.Content-Security-Policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
        } elsif (req.url ~ "^/(en/)?(status/.*|m/.*|day/.*|api|about|accuracy|data|outages|monitor/(new)?)?$") {
            call page_headers;
        }
    }
    return (deliver);
}

sub page_headers {
    set resp.http.Content-Security-Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'";
    set resp.http.Referrer-Policy = "strict-origin-when-cross-origin";
}

# And those of our own.
sub vcl_synth {
    # The store could not be asked. Once more, with what has expired.
    if (resp.status == 503 && !req.http.X-Status-Expired) {
        set req.http.X-Status-Expired = "1";
        return (restart);
    }
    # That there is nothing is known already, so a store that cannot tell how to say it nicely makes it no error.
    if (resp.status == 503 && req.http.X-Status-Nothing) { set resp.status = 404; }

    call common_headers;
    set resp.http.Cache-Control = "max-age=60";
    set resp.http.Content-Type = "application/json; charset=utf-8";
    if (resp.status == 204 || resp.status == 405) { set resp.http.Allow = "GET, HEAD, OPTIONS"; }
    if (resp.status == 204) {
        unset resp.http.Content-Type;
        set resp.http.Access-Control-Allow-Methods = "GET, HEAD, OPTIONS";
        set resp.http.Access-Control-Allow-Headers = "*";
        set resp.http.Access-Control-Max-Age = "86400";
        synthetic("");
    } elsif (resp.status == 301) {
        unset resp.http.Content-Type;
        set resp.http.Location = resp.reason;
        set resp.reason = "Moved Permanently";
        synthetic("");
    } elsif (resp.status == 404) {
        synthetic("""{"error":"not found"}""");
    } elsif (resp.status == 405) {
        synthetic("""{"error":"method not allowed"}""");
    } else {
        set resp.status = 503;
        set resp.http.Cache-Control = "no-store";
        set resp.http.Retry-After = "10";
        synthetic("""{"error":"temporarily unavailable"}""");
    }
    return (deliver);
}

sub common_headers {
    set resp.http.Access-Control-Allow-Origin = "*";
    set resp.http.Access-Control-Expose-Headers = "Age, Date, ETag, Retry-After";
    # Browsers ask for this name over TLS alone for a year. Of other names it says nothing.
    if (local.socket == "https") { set resp.http.Strict-Transport-Security = "max-age=31536000"; }
    set resp.http.X-Content-Type-Options = "nosniff";
    unset resp.http.Accept-Ranges;
    unset resp.http.X-Varnish;
    unset resp.http.Via;
    unset resp.http.Server;
}
