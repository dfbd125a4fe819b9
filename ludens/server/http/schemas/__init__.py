"""The shapes of requests and answers, as the OpenAPI document shows them, one file a subject."""
