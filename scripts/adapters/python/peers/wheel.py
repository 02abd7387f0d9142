"""Imports single modules of a big wheel without its heavy dependencies.

A server's wheel drags in an accelerator framework. Its parsers need none of that, only names that their modules import. `mount` makes chosen
modules of an unpacked wheel importable as they are; every other import below the named packages gives a stub, whose attributes are empty
classes made on demand. What is a stub is decided here and nowhere else, and `stubbed()` says which stubs were really taken.
"""
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import types

try:
    from pydantic_core import core_schema
except ImportError:  # A peer without pydantic.
    core_schema = None

_used = set()


class _Meta(type):
    """Of stub classes: `Stub.anything`, `Stub[int]` and `Stub | None` are allowed, as annotations need them."""

    def __getattr__(cls, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        made = stub_class(name)
        setattr(cls, name, made)
        return made

    def __getitem__(cls, _item):
        return cls


def stub_class(name):
    """An empty class that takes any arguments and, in a pydantic model, any value."""
    return _Meta(name, (), {
        "__init__": lambda self, *args, **kwargs: self.__dict__.update(kwargs),
        "__get_pydantic_core_schema__": classmethod(lambda cls, source, handler: core_schema.any_schema()),
    })


class _StubModule(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        _used.add(self.__name__)
        made = stub_class(name)
        setattr(self, name, made)
        return made


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, root, package, real, fill, absent):
        self.root, self.package, self.real, self.fill = root, package, tuple(real), fill
        self.tops = {package, *absent}

    def _is_real(self, name):
        return any(name == real or (real.endswith(".") and name.startswith(real)) for real in self.real)

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] not in self.tops:
            return None
        place = os.path.join(self.root, *name.split("."))
        if name not in self.fill and self._is_real(name):
            init = os.path.join(place, "__init__.py")
            if os.path.exists(init):
                return importlib.util.spec_from_file_location(name, init, submodule_search_locations=[place])
            if os.path.exists(place + ".py"):
                return importlib.util.spec_from_file_location(name, place + ".py")
        spec = importlib.machinery.ModuleSpec(name, self, is_package=True)
        spec.submodule_search_locations = [place]
        return spec

    def create_module(self, spec):
        module = _StubModule(spec.name)
        module.__path__ = list(spec.submodule_search_locations)
        return module

    def exec_module(self, module):
        fill = self.fill.get(module.__name__)
        if fill:
            fill(module)


def mount(root, package, real, fill=None, absent=()):
    """Makes `package` importable from the unpacked wheel in `root`.

    `real` names modules that run as they are (`a.b.` stands for all below `a.b`), `fill` gives functions that furnish single stub modules,
    `absent` names further packages that are stubs as a whole."""
    sys.meta_path.insert(0, _Finder(root, package, real, fill or {}, absent))


def stubbed():
    """The stub modules from which something was taken."""
    return sorted(_used)
