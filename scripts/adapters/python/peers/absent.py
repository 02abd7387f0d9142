"""Stands in for packages that a peer imports and its parser never uses, so that its modules load without them.

`stand_in(names)` makes modules of these packages importable; whatever is asked of them is an empty class. A parser that
really called one would get a wrong answer, so an adapter lists what stood in under `stubs`.
"""
import importlib.abc
import importlib.machinery
import sys
import types


class _Shape(type):
    """A class that has every attribute, can be subscripted, called and inherited from."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Shape(name, (), {})

    def __getitem__(cls, key):
        return cls

    def __or__(cls, other):
        return cls

    __ror__ = __or__


class _Module(types.ModuleType):
    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        shape = _Shape(name, (), {"__init__": lambda self, *args, **named: None})
        setattr(self, name, shape)
        return shape


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, names, real):
        self.names, self.real = names, real

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] not in self.names:
            return None
        for package, folder in self.real.items():
            if name == package or name.startswith(package + "."):
                return importlib.machinery.PathFinder.find_spec(name, [folder] if name == package else path)
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return _Module(spec.name)

    def exec_module(self, module):
        pass


def stand_in(names, real=None):
    """Makes `names` importable as empty shapes; `real` maps a package inside them to the folder that holds the true one."""
    sys.meta_path.insert(0, _Finder(set(names), real or {}))


def replace(name, **contents):
    """One module of the peer replaced by these contents, because its imports start a server."""
    module = types.ModuleType(name)
    vars(module).update(contents)
    sys.modules[name] = module
