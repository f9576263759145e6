package pay

import "net/http"

func Pay() (*http.Response, error) {
	return http.Get("http://bank:8080/pay")
}
