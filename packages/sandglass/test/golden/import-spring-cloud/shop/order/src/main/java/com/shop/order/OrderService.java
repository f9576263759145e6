package com.shop.order;

import com.shop.api.PaymentClient;
import com.shop.inventory.api.InventoryService;
import org.apache.dubbo.config.annotation.DubboReference;
import org.apache.dubbo.config.annotation.Method;

/** Not a client: @FeignClient("nobody"). */
@Service
public class OrderService {
    // @DubboReference private CouponService coupons;
    @DubboReference(version = "1.0.0", methods = @Method(name = "reserve", timeout = 5000, retries = 0))
    private InventoryService inventory;
    @Autowired
    private PaymentClient payments;
}
