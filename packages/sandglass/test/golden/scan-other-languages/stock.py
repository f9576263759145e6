import requests

def stock(item):
    return requests.get(f"http://stock:8080/{item}", timeout=(1, 2))

def all():
    return requests.get("http://stock:8080/all")
