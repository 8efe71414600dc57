"""Gemini behind the model port, through LangChain's client; the library is imported with the first request.

`model` is the engine, `client` one attempt with the library, `conversation` and `replies` translate, `failures`
tells errors apart, `retrying` decides which are tried again and when, `body` bounds what is read.
"""
