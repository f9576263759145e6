package com.shop.payment;

@Component
public class Bank {
    @Value("${bank.url}")
    private String url;
    private final RestTemplate template = new RestTemplate();

    Receipt charge(Payment payment) {
        return template.postForObject(url + "/charges", payment, Receipt.class);
    }
}
