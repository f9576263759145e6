package com.shop.inventory;

import com.shop.inventory.api.InventoryService;
import org.apache.dubbo.config.annotation.DubboService;

@DubboService(version = "1.0.0", retries = 1)
public class InventoryServiceImpl implements InventoryService {
}
