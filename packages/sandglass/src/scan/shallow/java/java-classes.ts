const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'java.net': ['HttpURLConnection', 'URL', 'URLConnection'],
  'javax.net.ssl': ['HttpsURLConnection'],
  'java.net.http': ['HttpClient', 'HttpRequest'],
  'java.sql': ['DriverManager'],
  'java.time': ['Duration'],
  'java.util.concurrent': ['TimeUnit'],
  'org.springframework.web.client': ['RestTemplate'],
  'org.springframework.http.client': [
    'SimpleClientHttpRequestFactory',
    'HttpComponentsClientHttpRequestFactory',
    'JdkClientHttpRequestFactory',
    'BufferingClientHttpRequestFactory',
  ],
  'org.springframework.http.client.reactive': ['ReactorClientHttpConnector'],
  'org.springframework.web.reactive.function.client': ['WebClient'],
  'reactor.netty.http.client': ['HttpClient'],
  feign: ['Feign', 'Client', 'Client.Default', 'Request', 'Request.Options'],
  'feign.okhttp': ['OkHttpClient'],
  'feign.httpclient': ['ApacheHttpClient'],
  'feign.hc5': ['ApacheHttp5Client'],
  'feign.http2client': ['Http2Client'],
  okhttp3: ['OkHttpClient', 'OkHttpClient.Builder'],
  'redis.clients.jedis': ['Jedis', 'JedisPool'],
  'io.lettuce.core': ['RedisClient', 'RedisURI'],
  'org.apache.http.impl.client': ['HttpClients', 'HttpClientBuilder', 'DefaultHttpClient'],
  'org.apache.hc.client5.http.impl.classic': ['HttpClients', 'HttpClientBuilder'],
}

const CLASSES: ReadonlySet<string> = new Set(
  Object.entries(PACKAGES).flatMap(([prefix, names]) => names.map((name) => `${prefix}.${name}`)),
)

/** True for the full name of a class that a rule asks for; only those are looked for in `import x.*`. */
export function isKnownClass(path: string): boolean {
  return CLASSES.has(path)
}
