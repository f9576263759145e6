package com.shop.api;

@FeignClient(contextId = "paymentClient", value = ServiceNames.PAYMENT, fallbackFactory = PaymentFallback.class)
public interface PaymentClient {
    @PostMapping("/payments")
    Payment pay(@RequestBody Payment payment);
}
