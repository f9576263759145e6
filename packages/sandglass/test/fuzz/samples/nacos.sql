-- exported by mysqldump
DROP TABLE IF EXISTS `config_info`;
CREATE TABLE `config_info` (`id` bigint(20) NOT NULL AUTO_INCREMENT, `data_id` varchar(255) NOT NULL, `group_id` varchar(128), `content` longtext NOT NULL, `md5` varchar(32), `type` varchar(64), `tenant_id` varchar(128) DEFAULT '', PRIMARY KEY (`id`)) ENGINE=InnoDB;
INSERT INTO `config_info` (`id`, `data_id`, `group_id`, `content`, `md5`, `type`, `tenant_id`) VALUES
(1,'application-dev.yml','DEFAULT_GROUP','feign:\n  client:\n    config:\n      default:\n        connectTimeout: 10000\n        readTimeout: 10000\n\nmanagement:\n  endpoints: { web: { exposure: { include: \'*\' } } }\n','x','yaml',''),
(2,'order-dev.yml','DEFAULT_GROUP','spring:\r\n  redis: { host: cache, timeout: 2000 }\r\n  datasource: { url: \"jdbc:mysql://db:3306/shop?socketTimeout=3000\" }\r\n','x','yaml',''),
(3,'gateway.properties','DEFAULT_GROUP','spring.cloud.gateway.routes[0].id=order\nspring.cloud.gateway.routes[0].uri=lb://order\n','x','properties','public'),
(4,'sentinel-order','DEFAULT_GROUP','[{\"resource\": \"/order\", \"count\": 500, \"grade\": 1}]','x','json','');
INSERT INTO his_config_info VALUES (9,'order-dev.yml','DEFAULT_GROUP','spring: { redis: { timeout: 1 } }');
