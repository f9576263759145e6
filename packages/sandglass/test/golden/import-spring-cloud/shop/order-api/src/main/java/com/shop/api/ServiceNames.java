package com.shop.api;

public interface ServiceNames {
    String PAYMENT = "payment";
}
