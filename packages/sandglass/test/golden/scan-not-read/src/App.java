import java.net.http.HttpClient;
class A { void f( { } }
