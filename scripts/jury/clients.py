"""The official Python clients, one reading a line: an order comes as a JSON line, and what the client gave its caller goes back as one."""

import json
import os
import sys

import anthropic
import openai

answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)  # What a client prints is no answer.

PORT = sys.argv[1]
OPENAI = openai.OpenAI(base_url=f"http://127.0.0.1:{PORT}/v1", api_key="none", max_retries=0, timeout=8)
ANTHROPIC = anthropic.Anthropic(base_url=f"http://127.0.0.1:{PORT}", api_key="none", max_retries=0, timeout=8)
PROMPT = [{"role": "user", "content": "?"}]


def chat(model, stream):
    done = []
    if stream:
        with OPENAI.chat.completions.stream(model=model, messages=PROMPT) as helper:
            for event in helper:
                if event.type == "tool_calls.function.arguments.done":
                    done.append({"name": event.name, "arguments": event.arguments})
            try:
                completion = helper.get_final_completion()
            except openai.LengthFinishReasonError as error:
                # The helper's way to say `length`: it hands the completion over in the error.
                completion = error.completion
    else:
        completion, done = OPENAI.chat.completions.create(model=model, messages=PROMPT), None
    choice = completion.choices[0]
    message, parts = choice.message, []
    reasoning = getattr(message, "reasoning_content", None) or getattr(message, "reasoning", None)
    if reasoning:
        parts.append({"type": "reasoning", "text": reasoning})
    if message.content:
        parts.append({"type": "text", "text": message.content})
    for call in message.tool_calls or []:
        parts.append({"type": "call", "id": call.id, "name": call.function.name, "arguments": call.function.arguments})
    return {"parts": parts, "finish": choice.finish_reason, "done": done}


def responses(model, stream):
    if stream:
        with OPENAI.responses.stream(model=model, input="?") as helper:
            for _ in helper:
                pass
            response = helper.get_final_response()
    else:
        response = OPENAI.responses.create(model=model, input="?")
    parts = []
    for item in response.output:
        if item.type == "reasoning":
            text = "".join(part.text for part in item.content or []) + "".join(part.text for part in item.summary or [])
            parts.append({"type": "reasoning", "text": text})
        elif item.type == "message":
            parts.append({"type": "text", "text": "".join(part.text for part in item.content if part.type == "output_text")})
        elif item.type == "function_call":
            parts.append({"type": "call", "id": item.call_id, "name": item.name, "arguments": item.arguments, "status": item.status})
    why = response.incomplete_details.reason if response.incomplete_details else None
    return {"parts": parts, "finish": why or response.status}


def messages(model, stream):
    if stream:
        with ANTHROPIC.messages.stream(model=model, messages=PROMPT, max_tokens=99) as helper:
            for _ in helper:
                pass
            message = helper.get_final_message()
    else:
        message = ANTHROPIC.messages.create(model=model, messages=PROMPT, max_tokens=99)
    parts = []
    for block in message.content:
        if block.type == "thinking":
            parts.append({"type": "reasoning", "text": block.thinking})
        elif block.type == "text":
            parts.append({"type": "text", "text": block.text})
        elif block.type == "tool_use":
            parts.append({"type": "call", "id": block.id, "name": block.name, "input": json.dumps(block.input)})
    return {"parts": parts, "finish": message.stop_reason}


READ = {"chat": chat, "responses": responses, "anthropic": messages}

for line in sys.stdin:
    order = json.loads(line)
    try:
        answer = READ[order["surface"]](order["model"], order["stream"])
    except Exception as error:  # Whatever a client raises is its result.
        answer = {"error": f"{type(error).__name__}: {error}"}
    # A lone surrogate, which JSON can carry and UTF-8 cannot, stays escaped.
    answers.write(json.dumps(answer, default=repr) + "\n")
    answers.flush()
