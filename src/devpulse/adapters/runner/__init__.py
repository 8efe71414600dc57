"""The contract with GitHub's runner: its environment, the event file, inputs, outputs, summary, workflow commands.

A container action gets all of these as variables and files; nothing here asks the API.
"""
